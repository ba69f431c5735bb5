"""What an ask is made of, in eight languages: English, German, French, Spanish, Italian, Portuguese, Dutch, Japanese.

Each table is one list of patterns; a line holds one language. Patterns are searched in a sentence without case.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


REQUEST = _any(
    r"\bplease\b(?! (?:note|wait|find|see|hold|be|feel|have|use|visit|contact|try|check|refer|consult|allow|remember|stay|enjoy"
    r"|keep|go|look|call|ask|bear|understand|accept|double)\b)|\bkindly\b|\blet me know\b(?! if\b)|\bI'?d (?:also )?like to know\b",
    r"(?:^|[,;:.]\s*|\b(?:and|then|so|just|or)\s+)(?:tell|give|send|provide|share|specify|confirm|clarify|name|state|pick|choose"
    r"|reply with|remind|supply) (?:me|us|the|a|an|your|which|what|it|that|this|both)\b",
    r"\b(?:I|we)(?:'ll|'d| will| would|'m going to)?(?: still| also| just| first| only)* (?:need|require|lack|am missing|'m missing)\b"
    r"|\bneeds? to know\b|\b(?:still|am|'m|are|'re|only) missing\b|\b(?:can't|cannot|can not|unable to|not able to)\b.* without\b"
    r"|^without\b.*\b(?:can't|cannot|can not|unable)\b|\b(?:could|can|would|will) you\b|\bawaiting\b|\bmissing\b.*:$",
    r"\bbitte\b|\b(?:brauche|benötige|fehlt mir|mir fehlt|mir fehlen|fehlt noch|bräuchte)\b|\b(?:nenn|sag|gib|schick|schreib|teil)\w* (?:mir|uns)\b"
    r"|\b(?:können|könnten|kannst|könntest|würden|dürfte) (?:Sie|du|ich)\b|\blass(?:en Sie)? mich wissen\b|\bohne\b.*\bkann\b.*\b(?:nicht|kein)",
    r"\bveuillez\b|\bmerci de (?:me |nous |bien vouloir )?(?:préciser|indiquer|donner|confirmer|communiquer|dire|fournir)"
    r"|\bs'il (?:vous|te) pla[iî]t\b|\b(?:dites|dis|donnez|indiquez|précisez|envoyez|confirmez)(?:-(?:moi|nous))?\b"
    r"|\bj'(?:ai|aurais)(?: encore)? besoin\b|\bil me (?:faut|manque|faudrait)\b|\b(?:pouvez|pourriez|peux|pourrais)-(?:vous|tu)\b",
    r"\bpor favor\b|\b(?:dígame|dime|indíqueme|indícame|indique|envíeme|confírmeme|facilíteme|dame|deme)\b|\bnecesito\b|\bme falta\b"
    r"|\b(?:podría|puede|puedes|podrías)\b.*\b(?:decir|indicar|confirmar|dar|facilitar|enviar)\w*\b|\bhágame saber\b",
    r"\bper (?:favore|cortesia|piacere)\b|\b(?:mi dica|dimmi|mi indichi|indicami|indichi|specifichi|mi faccia sapere|mi serve|mi occorre|mi manca)\b"
    r"|\b(?:ho|avrei) bisogno\b|\b(?:può|potrebbe|puoi|potresti)\b.*\b(?:dir|indicar|conferm|fornir|comunicar|specificar|mandar)\w*",
    r"\b(?:me diga|diga-me|me informe|informe|indique|me confirme|preciso (?:de|da|do|saber|que)|falta-me|me falta|só falta)\b"
    r"|\b(?:pode|poderia|podes|consegue)\b.*\b(?:dizer|informar|indicar|confirmar|dar|passar|enviar)\w*",
    r"\b(?:alstublieft|alsjeblieft|graag)\b|\b(?:geef|vertel|stuur|noem|laat)\b.*\b(?:me|mij|ons|weten)\b|\bnog nodig\b|\bheb (?:ik )?.*\bnodig\b"
    r"|\b(?:kunt|kun|zou|wilt|wil) (?:u|je|jij)\b|\b(?:ik mis|mis ik|ontbreekt nog)\b",
    r"教えて|お知らせ|ください|下さい|くださいませ|でしょうか|ですか|ますか|いただけ|お願い|必要です|必要があります|ご指定|ご連絡",
)
"""The sentence wants something of the reader."""

OPENING = _any(
    r"^(?:and|so|but|ok(?:ay)?|sure|also|then|first|thanks|got it|great)?[\s,:\u2013\u2014-]*(?:in |at |for |to |from |on |by )?"
    r"(?:which|what|where|when|who|whose|how (?:much|many|long|severe|big|far|soon|old|high))\b(?! (?:a|an|matters|counts|happens)\b)"
    r"(?! (?:I|we) (?:need|have|know|can|did)\b)",
    r"^(?:und |also |aber )?(?:in |an |zu |für |von |auf |um )?(?:welche\w*|wo|wann|wer|wessen|wie (?:viel|viele|lange|hoch|schwer|heißt|lautet))\b",
    r"^(?:et |alors )?(?:dans |à |de |pour |en )?(?:quel(?:le)?s?|où|quand|combien|lequel|laquelle)\b",
    r"^\W*(?:¿|y )?(?:en |de |a |para |con )?(?:qué|cuál(?:es)?|dónde|cuándo|cuánt[oa]s?)\b",
    r"^(?:e |allora )?(?:in |di |a |per |con |da )?(?:quale|quali|qual|dove|quando|quant[oaie]|che)\b(?=.*\b(?:fuso|è|sono|devo|zona|data)\b)",
    r"^(?:e |então )?(?:em |de |a |para |com )?(?:qual|quais|onde|quando|quant[oa]s?)\b",
    r"^(?:en |dus )?(?:in |van |voor |op |om )?(?:welke?|waar|wanneer|wie|hoeveel|hoe (?:laat|lang|ernstig))\b",
)
"""The sentence opens like a question, whatever it ends on."""

ASSUMING = _any(
    r"\bassum(?:e|ed|es|ing|ption)\b|\b(?:I|we)(?:'ll| will|'ve| have|'m| am|'re going to| am going to)?(?: just| simply| therefore| now| go ahead and)*"
    r" (?:us(?:e|ed|ing)|go(?:ing)? (?:ahead )?with|went with|default(?:ed|ing)?|set|put|pick(?:ed)?|chose|take|took|book(?:ed)?|schedul\w+|enter(?:ed)?)\b"
    r"|\bby default\b|\bdefaults? to\b|\bunless you (?:say|tell|object|prefer)\b|\bpresum\w+\b",
    r"\b(?:gehe|ging|gehen)\b.*\b(?:von|davon)\b.*\baus\b|\bnehme\b.*\ban\b|\b(?:verwende|benutze|setze|trage|nehme)\b.*\b(?:UTC|Standard\w*|einfach)\b|\bhabe\b.*\b(?:eingetragen|gesetzt|gewählt|angenommen)\b|\bangenommen\b",
    r"\b(?:je|nous) (?:suppose|pars du principe|prends|présume|mets|vais (?:utiliser|prendre|mettre))\w*|\bj'(?:utilise|ai (?:utilisé|mis|pris))\b|\bpar défaut\b",
    r"\b(?:asum(?:o|iré|imos)|supongo|usaré|usaremos|pondré|voy a (?:usar|poner|asumir)|he (?:usado|puesto))\b|\bpor defecto\b",
    r"\b(?:presumo|assumo|suppongo|userò|imposto|imposterò|metto|ho (?:usato|impostato|messo))\b|\bdo per scontato\b|\bper impostazione predefinita\b",
    r"\b(?:assumo|assumirei|vou (?:assumir|usar|considerar|colocar)|usarei|usei|presumo|suponho|coloquei)\b|\bpor padrão\b",
    r"\bga(?:an)? (?:ik |we )?(?:er )?(?:maar )?(?:van\b.*\buit|uit van)\b|\bneem(?:t)? (?:ik )?.*\baan\b|\b(?:gebruik|kies|zet) ik\b|\bik (?:gebruik|kies|zet|heb)\b.*\b(?:UTC|standaard|gezet|gekozen|gebruikt)\b|\bstandaard\b",
    r"と仮定|と想定|とします|としました|にしておき|にします|にしました|として(?:登録|扱|設定|入力)",
)
"""The sentence decides by itself."""

REPORTED = _any(
    r"\b(?:you|the user|the customer|they|he|she|somebody|someone)(?:'ve| have| had| were| was| are)? (?:just )?(?:ask(?:ed|ing|s)?|wanted to know|want(?:ed)? to know|wondered?|wondering|question(?:ed)?|quot\w+)\b"
    r"|\byour question\b|\b(?:form|documentation|docs|manual|schema|tool|system|field|api|guide|policy|rules?)\b.*\b(?:asks?|says?|said|prompts?|reads?)\b",
    r"\b(?:Sie|du|der Nutzer|der Kunde) (?:haben |hast |hat )?(?:gefragt|fragten|fragst|fragte|wollten wissen)\b|\b(?:haben|hast|hat)\b.*\bgefragt\b|\b(?:Ihre|deine) Frage\b",
    r"\b(?:vous|tu|l'utilisateur|le client) (?:m'avez |avez |as |a )?(?:demand\w+)\b|\bvotre question\b",
    r"\b(?:usted |me |has |ha )?(?:preguntó|preguntaste|preguntado|preguntaba)\b|\bsu pregunta\b",
    r"\b(?:ha|hai|aveva) chiesto\b|\b(?:la sua|tua) domanda\b",
    r"\b(?:você |o cliente )?(?:perguntou|tinha perguntado)\b|\bsua pergunta\b",
    r"\b(?:u|je|de klant) (?:vroeg|heeft gevraagd|hebt gevraagd)\b|\b(?:uw|je) vraag\b",
    r"とお尋ね|と聞かれ|ご質問|と質問|とのこと",
)
"""The sentence tells what somebody else asked."""

ANSWERED = _any(
    r"^(?:well,? )?(?:obviously|of course|clearly|naturally|certainly|simple|easy|probably|it'?s\b|it is\b|that'?s\b|that is\b|because\b|the answer\b|none\b|no problem)"
    r"|\b(?:obviously|of course|naturally|no doubt)\b|\b(?:is|are|has been|have been|was) (?:now )?(?:set|booked|scheduled|done|entered|saved|created)\b"
    r"|^(?:a|an|the) [\w ]{2,30} is\b",
    r"\b(?:natürlich|selbstverständlich|klar|offensichtlich|logisch)\b|^das ist\b",
    r"\b(?:bien sûr|évidemment|naturellement)\b|^c'est\b",
    r"\b(?:por supuesto|claro|obviamente|evidentemente)\b|^es (?:el|la|un|una)\b",
    r"\b(?:ovviamente|naturalmente|certo|chiaramente)\b|^è (?:il|la|un|una)\b",
    r"\b(?:claro|obviamente|naturalmente)\b|^é (?:o|a|um|uma)\b",
    r"\b(?:natuurlijk|uiteraard|vanzelfsprekend)\b|^dat is\b",
    r"もちろん|当然|^それは",
)
"""A sentence that answers the question before it."""

OFFER = _any(
    r"\b(?:would you like|do you want|want|should I|shall I|may I|can I|let me(?! know))(?: me)?(?: to)? (?:to )?(?:know|explain|hear|see how|show you|tell you|walk you|list|describe|learn|help)\b"
    r"|\bdid you know\b|\bdo you know (?:that|why|how)\b|^(?:and )?why\b|\banything else\b|\bwho knows\b|\bcan I help\b|\bdoes that (?:help|work)\b",
    r"\b(?:soll ich|möchten Sie|willst du)\b.*\b(?:erklären|wissen|erfahren|zeigen)\b|^warum\b|\bwussten Sie\b|\bwer weiß\b",
    r"\b(?:voulez-vous|veux-tu|souhaitez-vous)\b.*\b(?:savoir|explique|expliquer|apprendre|montre)\w*|^pourquoi\b|\bsaviez-vous\b|\bqui sait\b",
    r"\b(?:quiere|quieres|le gustaría|desea)\b.*\b(?:saber|explique|explicar|muestre)\w*|^¿?por qué\b|\bsabía que\b|\bquién sabe\b",
    r"\b(?:vuole|vuoi|desidera)\b.*\b(?:sapere|spieghi|spiegare|mostri)\w*|^perché\b|\bsapeva che\b|\bchi lo sa\b",
    r"\b(?:quer|gostaria)\b.*\b(?:saber|explique|explicar|mostre)\w*|^por qu[eê]\b|\bsabia que\b|\bquem sabe\b",
    r"\b(?:wilt u|wil je)\b.*\b(?:weten|uitleg|uitleggen|zien)\w*|^waarom\b|\bwist u\b|\bwie weet\b",
    r"(?:説明|ご案内|お教え)(?:いたし|し)?ましょうか|^なぜ|ご存(?:知|じ)でしたか",
)
"""A question that offers something, or does not want the value."""

NO_NEED = _any(
    r"\b(?:no need|not necessary|(?:do|does|did|will|would)(?:n't| not) (?:need|require|have to|matter|ask|want)|needn't|not asking|without (?:asking|needing)|don't worry|never mind|instead of asking)\b",
    r"\b(?:nicht nötig|brauche(?:n)? (?:Sie |ich )?(?:\w+ ){0,3}(?:nicht|keine?n?)|müssen\b.*\bnicht|egal|spielt keine Rolle)\b",
    r"\b(?:pas besoin|inutile|n'est pas nécessaire|n'ai pas besoin|peu importe)\b",
    r"\b(?:no (?:hace falta|es necesario|necesito|importa|preciso))\b",
    r"\b(?:non (?:serve|è necessario|occorre|importa|ho bisogno|mi serve))\b",
    r"\b(?:não (?:é necessário|preciso|precisa|importa))\b",
    r"\b(?:niet nodig|hoeft niet|geen .{0,20}nodig|maakt niet uit)\b",
    r"必要ありません|必要はありません|不要です|結構です|いりません",
)
"""The sentence says that something is not wanted."""

GIVEN = _any(
    r"(?:thanks? (?:you )?for(?: sharing| giving| sending)?|thank you for(?: sharing)?|you (?:gave|named|mentioned|provided|specified|said|chose|wrote)|you've (?:given|named|mentioned|provided)|(?:I|we) (?:already |now )?(?:have|noted|got|know|see|found|received)|I've (?:noted|got)|got|noted|apart from|besides|regardless of|change|update|based on|given)(?: me| us)?(?: already)?(?: the| your| a| that| his| her)?(?: \w+)?$",
    r"(?:danke für|habe ich|haben Sie|steht schon|kenne ich|abgesehen von|liegt vor)(?: die| der| das| Ihre| deine)?$",
    r"(?:merci pour|vous avez (?:donné|indiqué)|j'ai (?:bien )?(?:noté|reçu)?|à part)(?: le| la| les| votre)?$",
    r"(?:gracias por|ya tengo|me (?:dio|diste)|aparte de)(?: el| la| su| tu)?$",
    r"(?:grazie per|ho già|mi ha dato|a parte)(?: il| la| lo| l'| suo| sua)?$",
    r"(?:obrigad[oa] (?:por|pelo|pela)|já tenho|além d[oa]|você informou)(?: o| a| seu| sua)?$",
    r"(?:bedankt voor|heb ik al|u gaf|afgezien van|naast)(?: de| het| uw| je)?$",
)
"""Right before a name: the field is there already."""

IN_PASSING = _any(
    r"\b(?:in|to|into|by|for|at|across|within) (?:your|the|my|our|their|local|that|this|its|his|her)(?: \S+){0,2}$"
)
"""Right before a name: it only places something else."""

REFERS = _any(
    r"\b(?:it|that|this|these|those|them|both|one|details?|information|info|answers?)\b|\b(?:die|das|es|beide\w*|Angaben?|sie)\b",
    r"\b(?:le|la|les|cela|ces|l'|lequel|laquelle)\b|\b(?:lo|los|las|esto|eso|ambos)\b|\b(?:questo|quest[ie]|entrambi)\b|\b(?:isso|isto|ambos)\b",
    r"\b(?:dat|dit|deze|beide)\b|それ|これ",
)
"""A request that means what was named before."""

LACKING = _any(
    r"\b(?:missing|not (?:given|specified|provided|mentioned|stated|included)|(?:don't|do not|didn't|did not) (?:have|know|see|mention|specify|give|say)|need|required?|unclear|unknown|no|not|without)\b",
    r"\b(?:fehlt|fehlen|nicht (?:genannt|angegeben)|keine?|ohne)\b|\b(?:manque|n'(?:est|a) pas|pas|sans)\b",
    r"\b(?:falta|no (?:se|ha|indicó|dijo)|sin)\b|\b(?:manca|non|senza)\b|\b(?:não|sem)\b|\b(?:ontbreekt|niet|geen|zonder)\b|ありません|不明|ない",
)
"""The sentence says that something is not known."""

TYPE_NAMES: dict[str, tuple[str, ...]] = {
    "timezone": (
        "timezone, time zone, zone, tz, Zeitzone, fuseau horaire, fuseau, zona horaria, huso horario, fuso horário, fuso orario, fuso",
        "tijdzone, タイムゾーン, 時間帯, 標準時, UTC offset",
    ),
    "date": (
        "date, what day, which day, Datum, welcher Tag, quel jour, fecha, qué día, data, que dia, che giorno, welke dag, 日付, 何日, いつ, when",
    ),
    "datetime": (
        "date, what time, which time, start time, when, Datum, Uhrzeit, wann, quand, heure, fecha, hora, cuándo, quando, data, orario",
        "tijd, tijdstip, wanneer, 日時, 日付, 時刻, 何時, いつ, wie spät, hoe laat, que horas, che ora",
    ),
    "money": (
        "amount, price, sum, how much, Betrag, Preis, wie viel, montant, prix, combien, importe, monto, precio, cuánto, valor, preço",
        "quanto, importo, prezzo, bedrag, prijs, hoeveel, 金額, いくら, 料金",
    ),
}
"""The common words for a field of a type."""

PROXIES: dict[str, re.Pattern[str]] = {
    "timezone": _any(
        r"\b(?:city|town|country|region|location|place|located|based|where)\b|\b(?:Stadt|Land|Standort|Ort|wo)\b",
        r"\b(?:ville|pays|lieu|où)\b|\b(?:ciudad|país|lugar|dónde)\b|\b(?:città|paese|luogo|dove)\b|\b(?:cidade|país|onde)\b",
        r"\b(?:stad|land|plaats|waar)\b|都市|どこ|どちらの国",
    ),
}
"""Other facts that would settle a field of a type."""
