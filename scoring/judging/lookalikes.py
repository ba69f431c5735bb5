"""Two small tables: letters that look like Latin ones, and words of other languages that codes are made of.

The letters are those of Unicode's confusables (UTS #39) that occur in Greek and Cyrillic text. The lexicon is short on
purpose: it knows the words that reason, status and priority codes share, and says nothing of the rest.
"""

from __future__ import annotations

_CYRILLIC = dict(zip("АВЕЅZІЈКМНОРСТУХаеѕіјорсухԁһԛԝҮѵ", "ABESZIJKMHOPCTYXaesijopcyxdhqwYv", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανιρυχκ", "ABEZHIKMNOPTYXoavipuxk", strict=True))
HOMOGLYPHS: dict[int, str] = {
    ord(key): value for key, value in {**_CYRILLIC, **_GREEK, "ı": "i", "ɑ": "a", "ɡ": "g"}.items()
}
"""For str.translate: a letter -> the Latin letter that it looks like."""

_WORDS = {
    "other": "autre autres andere anderes anderer sonstige sonstiges otro otra otros outro outra outros altro altra "
    "altri anders overig overige その他 其他 другое другой",
    "damaged": "endommagé endommage abîmé beschädigt defekt dañado danado danificado danneggiato beschadigd 破損 "
    "损坏 поврежден повреждено",
    "wrong": "mauvais faux incorrect falsch falscher falsches equivocado incorrecto errado "
    "sbagliato verkeerd verkeerde "
    "неверный",
    "item": "article produit artikel ware artículo articulo producto artigo produto articolo prodotto 商品",
    "late": "tard tardif retard retardée tardive verspätet spät tarde tardía tardia atrasado "
    "atrasada tardi ritardo laat "
    "vertraagd 遅延",
    "delivery": "livraison lieferung entrega consegna levering bezorging 配送 配達 доставка",
    "duplicate": "double doppelt doppelte duplicado duplicada doppio doppia dubbel dubbele 重複 重复",
    "charge": "débit frais facturation abbuchung belastung cargo cobro cobrança addebito afschrijving 請求 списание",
    "unknown": "inconnu inconnue unbekannt desconocido desconhecido sconosciuto onbekend 不明 未知 неизвестно",
    "none": "aucun aucune keine keiner ninguno ninguna nenhum nenhuma nessuno geen なし 无 нет",
    "low": "bas basse faible niedrig bajo baja baixo baixa basso laag 低 низкий",
    "medium": "moyen moyenne mittel medio media médio média gemiddeld 中 средний",
    "high": "haut haute élevé élevée hoch alto alta hoog 高 высокий",
    "critical": "critique kritisch crítico crítica critico critica kritiek 緊急 критический",
    "open": "ouvert ouverte offen abierto abierta aberto aberta aperto aperta",
    "closed": "fermé fermée geschlossen cerrado cerrada fechado fechada chiuso chiusa gesloten",
    "pending": "en_attente ausstehend pendiente pendente attesa hangend 保留",
    "cancelled": "annulé annulée storniert abgebrochen cancelado cancelada annullato annullata geannuleerd キャンセル",
    "lost": "perdu perdue verloren perdido perdida perso persa 紛失",
    "missing": "manquant manquante fehlend faltante mancante ontbrekend 欠品",
    "defective": "défectueux défectueuse fehlerhaft defectuoso defeituoso difettoso 不良",
}
LEXICON: dict[str, str] = {
    word.replace("_", " "): english for english, words in _WORDS.items() for word in words.split()
}
"""A word in lower case -> the English word of a code."""
