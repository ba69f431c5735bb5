"""Makes catalogue.sqlite and retired.txt: the service catalogue and the directory of people that incidents refer to.

    python corpora/incidents/make_catalogue.py            write both files, print the hash of the rows
    python corpora/incidents/make_catalogue.py --check    write nothing; exit 1 where the files hold other rows

Everything stands in the tables below, so the rows are the same wherever this runs. The bytes of a SQLite file depend on
the library's version; the hash is taken over the rows. This file is data of the corpus: nothing imports it.
"""

import hashlib
import json
import sqlite3
import sys
from pathlib import Path

HERE = Path(__file__).parent
SIZE = 900
CATCH_ALL = ("unassigned", "Not in the catalogue, or not known", "triage", "global", 4)

REGIONS = {
    "eu": "Europe",
    "uk": "United Kingdom",
    "us": "United States",
    "ap": "Asia-Pacific",
    "sa": "South America",
    "me": "Middle East",
    "gl": "global",
}

# area team tier, then its services: name | what it is | cells by region. A missing number is a cell that is gone.
SERVICES = """
pay payments 1
  ledger   | Payment ledger               | eu 1 3 4 6, uk 1 2, us 1 2 5, ap 1, sa 2
  capture  | Card capture                 | eu 1 2 4, uk 1, us 1 2 3, ap 1 2, sa 1
  payout   | Shop payouts                 | eu 2 3, uk 1, us 1 4, ap 1, sa 1, me 1
  fraud    | Fraud screening              | eu 1 2, uk 2, us 1 2, ap 3
  wallet   | Courier wallet               | eu 1 5, us 2 3, sa 1 2, me 1
  cod      | Cash on delivery             | eu 1 2, sa 1 3, me 1 2, ap 1 4
  recon    | Bank reconciliation          | eu 1, uk 1, us 2, ap 1, sa 1
  fx       | Exchange rates               | gl 1 2
  vault    | Card vault                   | eu 1 2, us 1 3, ap 2
bil billing 2
  invoice  | Invoice run                  | eu 1 2 3, uk 1 2, us 1 2, ap 1, sa 1, me 1
  rating   | Price calculation            | eu 1 3, uk 1, us 1 2, ap 1 2, sa 1
  credit   | Credit notes                 | eu 1, uk 1, us 1, ap 2
  dunning  | Payment reminders            | eu 2 3, uk 1, us 1, sa 2
  tax      | Tax determination            | eu 1 2 3 4, uk 1, us 1 2 3, ap 1, sa 1 2
ord orders 1
  intake   | Shipment orders              | eu 1 2 3 5, uk 1 2, us 1 2 3, ap 1 2, sa 1, me 1
  split    | Order splitting              | eu 1 2, us 1, ap 1
  rebook   | Redirects and new dates      | eu 1, uk 1, us 1 2
  cancel   | Order cancellation           | eu 1 2, uk 1, us 1, ap 1
  supplies | Packaging supplies           | eu 1 2 4, uk 1, us 1 2, ap 1, sa 1
trk tracking 1
  events   | Tracking event intake        | eu 1 2 3 5 8, uk 1 3, us 1 2 4 6, ap 1 2, sa 1, me 2
  timeline | Parcel timeline              | eu 1 2 3, uk 1, us 1 2, ap 1, sa 1
  webhook  | Tracking webhooks            | eu 2 4, uk 2, us 1 3, ap 1
  eta      | Arrival estimates            | eu 1 2 7, uk 1, us 1 2, ap 1 3, sa 1, me 1
  proof    | Proof of delivery            | eu 1 3, uk 1 2, us 1, ap 1, sa 3
  public   | Public tracking page         | eu 1 2, uk 1, us 1 2, ap 1, sa 1, me 1
lbl labels 2
  render   | Label rendering              | eu 1 2 3 4, uk 1, us 2 3, ap 1 2, sa 1, me 1
  queue    | Label print queue            | eu 1 3, uk 1 2, us 1 2, ap 1, sa 1
  barcode  | Barcode allocation           | eu 1 2, uk 1, us 1, ap 1
  returns  | Return labels                | eu 1 2 5, uk 1, us 1 2, ap 2
  zplgate  | Thermal printer gateway      | eu 1 4, uk 1, us 1 3, ap 1, sa 1
rte routing 2
  planner  | Route planner                | eu 1 2 3 6, uk 1 2, us 1 2 3, ap 1, sa 1, me 1
  solver   | Route solver                 | eu 1 2 3 4 5 7, us 1 2 3 4, ap 1 2
  cutoff   | Cut-off times                | eu 1, uk 1, us 1, ap 1, sa 1
  linehaul | Linehaul schedule            | eu 1 3, uk 1, us 1 2, ap 2, sa 1
  lastmile | Last-mile dispatch           | eu 1 2 4 5, uk 1 2, us 1 3 4, ap 1 2, sa 1 2, me 1
  geofence | Geofence arrivals            | eu 1 2, uk 1, us 2, ap 1
lck lockers 1
  door     | Locker door control          | eu 1 2 3 4 6 9, uk 1 2 4, us 1 2, ap 1 2 3, me 1
  beat     | Locker heartbeat             | eu 1 2 3 4, uk 1 2, us 1, ap 1 2, me 1
  pin      | Pick-up codes                | eu 1 3 4, uk 1 2, us 1 2, ap 1, me 2
  slots    | Compartment allocation       | eu 2 3, uk 1, us 1, ap 1 2, me 1
  firmware | Locker firmware rollout      | gl 1 3
  screen   | Locker touch screen          | eu 1 2, uk 1, us 1, ap 1
dpt depots 1
  sorter   | Sorter control               | eu 1 2 3 4 5 6 8 11, uk 1 2 3, us 1 2 3 4 7, ap 1 2, sa 1 2, me 1
  scan     | Hand scanner intake          | eu 1 2 3 5, uk 1 2, us 1 2 3, ap 1, sa 1, me 1
  dock     | Dock door planning           | eu 1 2 4, uk 1, us 1 3, ap 1
  manifest | Load manifests               | eu 1 2, uk 1 2, us 1 2, ap 1, sa 1
  weigh    | Weighing and dimensions      | eu 1 2 3, uk 2, us 1 2, ap 1
  yard     | Yard management              | eu 1 3, us 1 2, ap 1
  shift    | Shift rosters                | eu 1, uk 1, us 1, ap 1, sa 1
cus customs 2
  declare  | Customs declarations         | eu 1 2 3, uk 1 2, us 1 2, ap 1 2, sa 1, me 1
  tariff   | Tariff codes                 | gl 1 2 4
  docs     | Customs documents            | eu 1 2, uk 1, us 1, ap 3
  hold     | Held parcels                 | eu 1, uk 1 2, us 1, ap 1, sa 1
  duty     | Duty calculation             | eu 1 3, uk 1, us 2, ap 1
idn identity 1
  login    | Sign-in                      | eu 1 2 3, uk 1, us 1 2 3, ap 1 2, sa 1, me 1
  session  | Session store                | eu 1 2 4, uk 1, us 1 2, ap 1, sa 1
  tokens   | Access tokens                | eu 1 2, us 1 2, ap 1
  sso      | Staff single sign-on         | gl 1 2
  mfa      | Second factor                | eu 1 3, us 1, ap 1
  roles    | Roles and permissions        | gl 1 3
ntf notifications 2
  email    | Email sending                | eu 1 2 3 4, uk 1 2, us 1 2 3, ap 1, sa 1, me 1
  sms      | Text messages                | eu 1 2 5, uk 1, us 1 3, ap 1 2, sa 1 2, me 1
  push     | Push notifications           | eu 1 2, us 1 2, ap 1, sa 1
  prefs    | Contact preferences          | eu 1, uk 1, us 1, ap 1
  template | Message templates            | gl 1 2
  voice    | Voice calls                  | eu 2, us 1, sa 1
prt partners 2
  api      | Partner API                  | eu 1 2 3 5, uk 1 2, us 1 2 3, ap 1 2, sa 1, me 1
  onboard  | Partner onboarding           | eu 1, uk 1, us 1, ap 1, sa 1
  hooks    | Partner webhooks             | eu 1 2, uk 1, us 1 4, ap 1
  quota    | Partner rate limits          | eu 1, us 1, ap 2
  bulk     | Bulk order files             | eu 1 2 3, uk 1, us 1 2, ap 1, sa 2
  shopfeed | Pick-up shop directory       | eu 1 3, uk 1, us 1, ap 1, sa 1
mob mobile 2
  courier  | Courier app backend          | eu 1 2 3 4, uk 1 2, us 1 2 5, ap 1 2, sa 1 2, me 1
  consumer | Customer app backend         | eu 1 2 3, uk 1, us 1 2, ap 1, sa 1, me 1
  sync     | Courier offline sync         | eu 1 2, uk 1, us 1 3, ap 1, sa 1
  config   | App remote configuration     | gl 1 2
  media    | Photo upload                 | eu 1 2, uk 1, us 1, ap 1 2, sa 1
sup support 3
  desk     | Ticket desk                  | eu 1 2, uk 1, us 1 2, ap 1, sa 1
  chat     | Customer chat                | eu 1 2 3, uk 1, us 1 2, ap 1, sa 1
  claims   | Claims for lost parcels      | eu 1 2, uk 1 3, us 1, ap 1, sa 1
  callback | Call-back booking            | eu 1, uk 1, us 2
  macros   | Reply suggestions            | gl 1 2
dat data 3
  lake     | Data lake ingest             | eu 1 2 4, us 1 2, ap 1, sa 1
  stream   | Event streaming              | eu 1 2 3 4 5, uk 1, us 1 2 3, ap 1 2, sa 1
  etl      | Nightly transforms           | eu 1 2 3, us 1 2, ap 1
  bi       | Reporting warehouse          | eu 1 3, us 1, ap 1
  schema   | Schema registry              | gl 1 2
  export   | Data exports                 | eu 1, uk 1, us 1, ap 1
  forecast | Volume forecast              | eu 1 2, us 1, ap 1
sea search 2
  address  | Address search               | eu 1 2 3, uk 1 2, us 1 2, ap 1 2, sa 1, me 1
  parcel   | Parcel search                | eu 1 2, uk 1, us 1 3, ap 1, sa 1
  suggest  | Address suggestions          | eu 1 2 6, uk 1, us 1, ap 1
  index    | Search indexing              | eu 1 2, us 1 2, ap 1
net network 1
  edge     | Edge proxies                 | eu 1 2 3 4 5 6, uk 1 2 3, us 1 2 3 4 5, ap 1 2 3, sa 1 2, me 1 2
  dns      | Name service                 | eu 1 2, us 1 2, ap 1
  gateway  | API gateway                  | eu 1 2 3, uk 1, us 1 2 3, ap 1 2, sa 1, me 1
  mesh     | Service mesh control         | eu 1 2, uk 1, us 1 2, ap 1
  cdn      | Static content delivery      | gl 1 2 3
  certs    | Certificate renewal          | gl 1 4
sto storage 1
  blob     | Object storage               | eu 1 2 3 5, uk 1, us 1 2 3, ap 1 2, sa 1
  cache    | Shared cache                 | eu 1 2 3 4 6, uk 1 2, us 1 2 3, ap 1 2, sa 1, me 1
  bus      | Message bus                  | eu 1 2 4, uk 1, us 1 2, ap 1, sa 1
  primary  | Relational primary           | eu 1 2 3 4 7, uk 1 2, us 1 2 3 4, ap 1 2, sa 1, me 1
  replica  | Relational read replica      | eu 1 2 3 4 7, uk 1 2, us 1 2 3 4, ap 1 2, sa 1
  backup   | Database backups             | eu 1 2, uk 1, us 1 2, ap 1, sa 1
obs observability 2
  logs     | Log pipeline                 | eu 1 2 3, uk 1, us 1 2, ap 1
  metrics  | Metrics store                | eu 1 2, uk 1, us 1 2, ap 1
  traces   | Trace collection             | eu 1, us 1, ap 1
  pager    | Alert routing                | gl 1 2
  probes   | Synthetic checks             | eu 1, uk 1, us 1, ap 1, sa 1, me 1
  boards   | Dashboards                   | gl 1 3
shp shipping-site 2
  checkout | Shipping checkout            | eu 1 2 3, uk 1, us 1 2, ap 1, sa 1, me 1
  quote    | Price quotes                 | eu 1 2, uk 1, us 1 2, ap 1, sa 1
  pickup   | Collection booking           | eu 1 3, uk 1, us 1, ap 1, sa 1
  account  | Customer account             | eu 1 2, uk 1, us 1, ap 1
  book     | Address book                 | eu 1, uk 1, us 1, ap 1
  promo    | Voucher codes                | eu 1 2, us 1, sa 1
plt platform 3
  deploy   | Deployments                  | eu 1 2, us 1 2, ap 1
  flags    | Feature flags                | gl 1 2
  cron     | Scheduled jobs               | eu 1 2 3, uk 1, us 1 2, ap 1
  secrets  | Secret store                 | eu 1, us 1 2, ap 1
  registry | Container registry           | eu 1, us 1
  build    | Build runners                | eu 1 2 3 4, us 1 2 3
  quotas   | Resource quotas              | gl 1
flt fleet 3
  telem    | Van telemetry                | eu 1 2 3, uk 1 2, us 1 2 3, ap 1, sa 1
  charge   | Van charging plan            | eu 1 2, uk 1, us 1
  fuel     | Fuel cards                   | eu 1, uk 1, us 1, sa 1
  service  | Workshop bookings            | eu 1, uk 1, us 2
  bikes    | Cargo bikes                  | eu 1 2, uk 1
"""

# Ids that older catalogues held. Some are the gaps above, some belonged to services that are gone.
RETIRED = """
pay-ledger-eu-02 pay-ledger-eu-05 pay-capture-eu-03 pay-payout-eu-01 pay-fraud-uk-01 pay-wallet-eu-02 pay-giro-eu-01
pay-giro-eu-02 pay-cheque-us-01 bil-dunning-eu-01 bil-rating-eu-02 trk-events-eu-04 trk-events-uk-02 trk-proof-eu-02
trk-legacy-eu-01 lbl-queue-eu-02 lbl-returns-eu-03 lbl-pdf-eu-01 rte-planner-eu-04 rte-linehaul-eu-02 lck-door-eu-05
lck-door-uk-03 lck-pin-eu-02 lck-slots-eu-01 dpt-sorter-eu-07 dpt-sorter-us-05 dpt-scan-eu-04 dpt-yard-eu-02 cus-docs-ap-01
idn-session-eu-03 idn-mfa-eu-02 ntf-sms-eu-03 ntf-fax-uk-01 ntf-voice-eu-01 prt-api-eu-04 prt-ftp-eu-01 prt-ftp-us-01
mob-courier-us-03 mob-sync-us-02 sup-claims-uk-02 dat-lake-eu-03 dat-bi-eu-02 sea-suggest-eu-03 net-certs-gl-02 sto-blob-eu-04
sto-cache-eu-05 sto-bus-eu-03 sto-primary-eu-05 obs-boards-gl-02 shp-pickup-eu-02 flt-service-us-01
"""

# team: handles. Who has left the company stands after the bar: in the directory, and no assignee any more.
PEOPLE = """
payments       ines.qx marek.ov tomas.lk aiko.rd yusuf.bn greta.sw paulo.fe | dennis.hm carla.yt
billing        nadia.pf olek.jr henrik.ul mei.ca sofia.vd | arno.kz
orders         tilda.yr kenji.ob malik.ec bianca.hs | wiktor.nn
tracking       dara.ox luca.mw priya.gt bjorn.ei hana.zu samir.ly | tessa.bq
labels         milan.wo chloe.rn emeka.dj julia.ks | roland.aa
routing        anton.vy leila.hc mateo.pz ingrid.ba kofi.sr wanda.tq | piet.ne
lockers        noor.ek filip.xm rosa.ub taro.ji elif.gw stefan.co maya.dl | gustav.rr
depots         bruno.ty agata.ik omar.vs linnea.fo diego.xb keiko.mh | harald.up
customs        farah.je ruben.cq oksana.lt jonas.wi | bettina.sx
identity       amir.zk lotte.hv sunil.ge valentina.or eszter.pn | craig.du
notifications  pia.rm hassan.ow zofia.te claude.ib nuria.kg | evan.qs
partners       simone.ax bartek.ln adaeze.fy johan.mv camille.ud | mirko.ee
mobile         ravi.ct elena.ps magnus.yo fatima.bk teo.wl | silke.nj
support        joana.hi erik.zv amina.sd dimitri.qr | bob.ka
data           yuki.tm oscar.ga bogna.ev ismael.rw | ulla.fp
search         vera.nd hugo.ky samira.lp kwame.oi | lars.gh
network        jiri.ba katya.um pedro.sn alma.wx desmond.ct | ernst.vv
storage        mirela.fk theo.gr abena.hz rasmus.ql selin.yp | otto.ww
observability  goran.me lucie.ja tariq.nb ewa.ds | finn.zo
shipping-site  carmen.vk aleks.ph nils.ru zahra.cm | petra.ly
platform       ivo.st hedda.bf rahul.ox marta.zi | colin.jd
fleet          pablo.ng freja.ew dawit.ka | gerd.ti
triage         triage-desk |
"""

TABLES = """
create table components (component_id text primary key, name text not null, team text not null, region text not null,
    tier integer not null) without rowid;
create table people (handle text primary key, team text not null, active integer not null) without rowid;
"""


def components():
    """The rows of the catalogue, sorted by id."""
    rows = [CATCH_ALL]
    for line in SERVICES.strip().splitlines():
        if not line.startswith(" "):
            area, team, tier = line.split()
            continue
        service, what, cells = (part.strip() for part in line.split("|"))
        for group in cells.split(","):
            region, *numbers = group.split()
            for number in map(int, numbers):
                name = f"{what}, {REGIONS[region]}, cell {number}"
                rows.append((f"{area}-{service}-{region}-{number:02}", name, team, region, int(tier)))
    return sorted(rows)


def people():
    """The rows of the directory, sorted by handle."""
    rows = []
    for line in PEOPLE.strip().splitlines():
        here, left = line.split("|")
        team, *handles = here.split()
        rows += [(handle, team, 1) for handle in handles] + [(handle, team, 0) for handle in left.split()]
    return sorted(rows)


def retired():
    """Ids that are in no row any more, sorted."""
    return sorted(RETIRED.split())


def sums_hold(components, people, retired):
    """The arithmetic that the corpus relies on."""
    ids = {row[0] for row in components}
    assert len(components) == len(ids) == SIZE, f"{len(components)} rows, {len(ids)} ids; expected {SIZE}"
    assert len({row[0] for row in people}) == len(people), "a handle stands twice"
    assert len(set(retired)) == len(retired), "a retired id stands twice"
    assert not ids & set(retired), f"both live and retired: {ids & set(retired)}"


def digest(components, people, retired):
    """sha256 of all rows, each one JSON line."""
    lines = [json.dumps(row) for row in (*components, *people, *retired)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def write(components, people, retired):
    """Make both files anew."""
    path = HERE / "catalogue.sqlite"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(TABLES)
        connection.executemany("insert into components values (?, ?, ?, ?, ?)", components)
        connection.executemany("insert into people values (?, ?, ?)", people)
    connection.execute("vacuum")
    connection.close()
    (HERE / "retired.txt").write_text("\n".join(retired) + "\n", "utf-8")


def stored():
    """What the two files hold now."""
    connection = sqlite3.connect(f"{(HERE / 'catalogue.sqlite').as_uri()}?mode=ro", uri=True)
    rows = [connection.execute(f"select * from {table} order by 1").fetchall() for table in ("components", "people")]
    connection.close()
    return *rows, (HERE / "retired.txt").read_text("utf-8").split()


def main():
    """Write, or compare with --check."""
    made = components(), people(), retired()
    sums_hold(*made)
    if "--check" not in sys.argv[1:]:
        write(*made)
    elif digest(*stored()) != digest(*made):
        sys.exit("the files hold other rows than this script makes; run it without --check")
    print(f"{len(made[0])} components, {len(made[1])} people, {len(made[2])} retired; rows sha256 {digest(*made)}")


if __name__ == "__main__":
    main()
