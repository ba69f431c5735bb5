"""The names of UTC and of GMT, and the older names of zones that have a newer one (IANA time zone database)."""

from __future__ import annotations

UTC = frozenset("utc z zulu etc/utc etc/zulu etc/uct uct etc/universal universal utc0 +00:00 -00:00".split())
GMT = frozenset("gmt etc/gmt gmt0 etc/gmt0 etc/gmt+0 etc/gmt-0 gmt+0 gmt-0 greenwich etc/greenwich".split())
LINKS = {
    old: new
    for new, names in {
        "america/new_york": "us/eastern",
        "america/chicago": "us/central",
        "america/denver": "us/mountain america/shiprock navajo",
        "america/los_angeles": "us/pacific",
        "america/phoenix": "us/arizona",
        "america/anchorage": "us/alaska",
        "pacific/honolulu": "us/hawaii",
        "america/indiana/indianapolis": "us/east-indiana america/indianapolis america/fort_wayne",
        "america/argentina/buenos_aires": "america/buenos_aires",
        "america/sao_paulo": "brazil/east",
        "america/mexico_city": "mexico/general",
        "america/toronto": "canada/eastern america/montreal",
        "america/vancouver": "canada/pacific",
        "america/halifax": "canada/atlantic",
        "asia/kolkata": "asia/calcutta",
        "asia/kathmandu": "asia/katmandu",
        "asia/ho_chi_minh": "asia/saigon",
        "asia/yangon": "asia/rangoon",
        "asia/dhaka": "asia/dacca",
        "asia/shanghai": "prc asia/chongqing asia/harbin",
        "asia/tokyo": "japan",
        "asia/seoul": "rok",
        "asia/singapore": "singapore",
        "asia/hong_kong": "hongkong",
        "asia/jerusalem": "israel asia/tel_aviv",
        "asia/tehran": "iran",
        "europe/istanbul": "turkey asia/istanbul",
        "europe/kyiv": "europe/kiev",
        "europe/london": "gb gb-eire europe/belfast",
        "europe/dublin": "eire",
        "europe/lisbon": "portugal",
        "europe/warsaw": "poland",
        "europe/moscow": "w-su",
        "africa/cairo": "egypt",
        "pacific/auckland": "nz antarctica/mcmurdo",
        "australia/sydney": "australia/nsw australia/act australia/canberra",
        "australia/melbourne": "australia/victoria",
        "australia/brisbane": "australia/queensland",
        "australia/perth": "australia/west",
    }.items()
    for old in names.split()
}
