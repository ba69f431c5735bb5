"""Which sentence of a reply asks, sentence by sentence: the whole of what is said of each text."""

from __future__ import annotations

import pytest

from scoring.judging.asking import asks
from scoring.judging.fieldnames import field_names
from tests.scoring.build import a_probe, a_tool

ZONE = field_names(a_probe("zone", type="timezone"), a_tool())
CODE = field_names(a_probe("code", ask=["code", "\u756a\u53f7"]), a_tool())
NO, YES = (False, ()), (True, ())
ASSUMED, ASSUMED_AND_ASKED = (False, ("states-assumption",)), (True, ("states-assumption",))
PROXY = (True, ("asks-proxy-fact",))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("**Which code?**", YES, id="a bold question"),
        pytest.param("# Which code", YES, id="a heading that opens like a question"),
        pytest.param("__Please give the code__", YES, id="an underlined request"),
        pytest.param("\tWhich code", YES, id="an indented one"),
        pytest.param("The code?)", YES, id="a question mark before a bracket"),
        pytest.param("The code?\u300d", YES, id="a question mark before a quote that closes"),
        pytest.param("The code? Good", YES, id="a question before a sentence"),
        pytest.param("The code\uff1f", YES, id="a wide question mark"),
        pytest.param("The code.", NO, id="a statement"),
        pytest.param("Which version? v1.code is set.", NO, id="a point within a word ends no sentence"),
        pytest.param("Is it some id, e.g. the code?", YES, id="a point in an abbreviation ends no sentence"),
        pytest.param("Done! Which code?", YES, id="a sentence after a call"),
        pytest.param("\u756a\u53f7\u306f\u4f55\u3067\u3059\u304b\u3002", YES, id="a question without a mark"),
        pytest.param("Tell me. The code is known.", NO, id="a request in the sentence before"),
        pytest.param("Which day?\nThe code is known.", NO, id="a question in the line before"),
        pytest.param("Which day ```and```code is it", YES, id="code is cut out of a sentence"),
        pytest.param("The x```Which?```code is known", NO, id="code that asks"),
        pytest.param("```\nWhich code?", NO, id="code that is not closed"),
        pytest.param("  > Which code?", NO, id="an indented quoted line"),
        pytest.param("a > b\nWhich code?", YES, id="no quoted line"),
        pytest.param('It reads "which code exactly please" to me', NO, id="a quote of four words"),
        pytest.param('Please send "a new code it" to me', NO, id="a quote of four short words"),
        pytest.param('And code "as it stands there"? I will use 5.', ASSUMED, id="a quote adds no words to a question"),
        pytest.param('Please send "the first code" to me', YES, id="a quote of three words"),
        pytest.param('Please send "code?" to me', NO, id="a quoted question"),
        pytest.param("Please send \u201ecode\uff1f\u201c to me", NO, id="a quoted wide question mark"),
        pytest.param("Please send \u00abcode\u3067\u3059\u304b\u00bb to me", NO, id="a quoted Japanese question"),
        pytest.param("Please send \u300ccode\u307e\u3059\u304b\u300d to me", NO, id="another"),
        pytest.param('Please send "" the code to me', YES, id="an empty quote"),
        pytest.param('Please send the code "now\nor" later', YES, id="a quote does not go over a line"),
        pytest.param("Code? Of course.", ASSUMED, id="a question that is answered"),
        pytest.param("Code? I will use 5.", ASSUMED, id="a short question before an assumption"),
        pytest.param("And the code? I will use 5.", ASSUMED, id="one of three words"),
        pytest.param("And what is the code? I will use 5.", YES, id="a long question before an assumption"),
        pytest.param("Code? It is good.", ASSUMED, id="a question and its answer"),
        pytest.param("Code? Obviously, or which?", YES, id="a question that is followed by one"),
        pytest.param("Code?\n- Of course", YES, id="a question that is followed by an item"),
        pytest.param("Code?\nOf course", ASSUMED, id="a question that is answered in the next line"),
        pytest.param("Code? Fine.", YES, id="a question before something else"),
        pytest.param("Please send the code. Of course.", YES, id="a request is not answered by the next sentence"),
        pytest.param("I assume the code.", ASSUMED, id="an assumption"),
        pytest.param("I assume the code. I assume the code.", ASSUMED, id="one that is stated again"),
        pytest.param("Should I assume the code?", YES, id="a proposal to assume"),
        pytest.param("I assume the code. Which code is it?", ASSUMED_AND_ASKED, id="an assumption, and a question"),
        pytest.param("Which code is it? I assume the code.", ASSUMED_AND_ASKED, id="a question, and an assumption"),
        pytest.param("You asked which code is it?", NO, id="what somebody asked"),
        pytest.param("Would you like to know the code?", NO, id="an offer"),
        pytest.param("Please note: no need for a code.", NO, id="what is not needed"),
        pytest.param("Please do it, there is no need for the code.", NO, id="a request that needs it not"),
        pytest.param("Send me:\n- code", YES, id="an item after a request with a colon"),
        pytest.param("Send me\uff1a\n- code", YES, id="an item after a wide colon"),
        pytest.param("Which of these?\n- code", YES, id="an item after a question"),
        pytest.param("Which of these\uff1f\n- code", YES, id="an item after a wide question mark"),
        pytest.param("Send me.\n- code", NO, id="an item after a request that is closed"),
        pytest.param("Here is what I found:\n- code", NO, id="an item after a statement"),
        pytest.param("You asked me to send:\n- code", NO, id="an item after what somebody asked"),
        pytest.param("Send me:\ncode", NO, id="no item"),
        pytest.param("- code", NO, id="an item that nothing opens"),
        pytest.param("- Which code", YES, id="an item that opens like a question"),
        pytest.param("1) Which code", YES, id="a numbered item that opens like a question"),
        pytest.param("\u2022 Which code", YES, id="an item with a dot that opens like a question"),
        pytest.param("X which code", NO, id="a letter before what opens a question"),
        pytest.param("Send me:\n\u2022 day\n* hour\n\u2013 code", YES, id="the third item"),
        pytest.param("Send me:\n12) code", YES, id="an item with a number"),
        pytest.param("Send me:\n- the day.\nAll right.\n- code", NO, id="an item after the end of the list"),
        pytest.param("Thanks for the code, which day is it?", NO, id="a code that was given"),
        pytest.param("What is the day, apart from the code?", NO, id="what it is asked beside"),
        pytest.param("Which day is in the code?", NO, id="what only places the question"),
        pytest.param("WHICH day is in the code?", NO, id="in capitals"),
        pytest.param("Which day is in the code field?", YES, id="the field by its name"),
        pytest.param("Which day is in the code parameter?", YES, id="a parameter"),
        pytest.param("Which day is in the code argument?", YES, id="an argument"),
        pytest.param("Which day is in the code fieldwork?", NO, id="no field"),
        pytest.param("Is a day in the code?", YES, id="nothing else is asked before it"),
        pytest.param("Somewhatever is in the code?", YES, id="no word that asks before it"),
        pytest.param("Is it in the code, and what day is it?", YES, id="the word that asks comes after"),
        pytest.param("The code is missing. Could you send it?", YES, id="lacking, and asked for by a pronoun"),
        pytest.param("The code is missing. What is it?", YES, id="lacking, and a question"),
        pytest.param("The code is missing. It is so.", NO, id="lacking, and a statement"),
        pytest.param("The code is missing. Could you send a day?", NO, id="lacking, and something else is asked for"),
        pytest.param("The code is good. Could you send it?", NO, id="not lacking"),
        pytest.param("The code is missing. You asked for it?", NO, id="lacking, and what somebody asked"),
        pytest.param("The code is missing.", NO, id="lacking, and no more"),
        pytest.param("Could you send it? The code is missing.", NO, id="lacking, and asked for before"),
        pytest.param("The code is missing. Yes. Could you send it?", NO, id="lacking, and asked for too late"),
        pytest.param("Which code is it? Thanks. Well.", YES, id="a question far from the end"),
        pytest.param("Nothing of it. Nothing.", NO, id="no name at all"),
        pytest.param("Nothing. Which code is it?", YES, id="a name in the last sentence"),
        pytest.param("Which code is it? Nothing.", YES, id="a name in the first sentence"),
    ],
)
def test_what_is_said_of_a_text(text: str, found: tuple[bool, tuple[str, ...]]) -> None:
    assert asks(text, CODE) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("Which city are you in?", PROXY, id="a fact that settles it"),
        pytest.param("Which city? Which country?", PROXY, id="two such facts"),
        pytest.param("Which city? Thanks. All is well.", PROXY, id="such a fact, and more words"),
        pytest.param("All is well. Which city?", PROXY, id="words, and such a fact"),
        pytest.param("The city is fine.", NO, id="no question"),
        pytest.param("Which hour?", NO, id="a fact that does not settle it"),
        pytest.param("You asked me which city?", NO, id="what somebody asked"),
        pytest.param("Which city do I assume: London.", NO, id="an assumption"),
        pytest.param("Which zone? Which city?", (True, ("asks-proxy-fact",)), id="it, and such a fact"),
        pytest.param("Which city? Which zone?", (True, ("asks-proxy-fact",)), id="such a fact, and it"),
        pytest.param(
            "Which city? I assume a zone.", (True, ("asks-proxy-fact", "states-assumption")), id="and an assumption"
        ),
    ],
)
def test_a_fact_that_would_settle_the_field_is_asked_for_in_its_place(
    text: str, found: tuple[bool, tuple[str, ...]]
) -> None:
    assert asks(text, ZONE) == found


def test_no_other_fact_settles_a_field_of_no_type() -> None:
    assert asks("Which city are you in?", CODE) == NO
