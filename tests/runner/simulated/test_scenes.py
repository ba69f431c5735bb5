from __future__ import annotations

import pytest

from corpora.corpus import bundled, load
from corpora.jsonl import to_json
from runner.simulated.scenes import Stage, UnknownConversationError, text_of


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage([load(name) for name in bundled()])


def messages_of(scene):
    return [{"role": "system", "content": scene.system}, *to_json(scene.fixture.messages)]


def test_every_fixture_is_found_by_its_own_messages(stage):
    assert stage.scenes
    for scene in stage.scenes:
        found = stage.find(messages_of(scene))
        assert (found.spoken, found.system) == (scene.spoken, scene.system)


def test_a_conversation_is_found_without_its_system_text(stage):
    scene = stage.scenes[0]
    assert stage.find([{"role": "developer", "content": "Be brief."}, *messages_of(scene)[1:]]) is scene


def test_a_conversation_is_found_when_its_contents_are_lists_of_parts(stage):
    scene = stage.scenes[0]
    parts = [
        {**message, "content": [{"type": "text", "text": message["content"]}] if message["content"] else None}
        for message in messages_of(scene)
    ]
    assert stage.find(parts) is scene


def test_a_conversation_is_found_when_an_agent_quotes_it_in_one_message(stage):
    for scene in stage.scenes:
        told = "\n\n".join(f"{m['role']}: {m['content']}" for m in messages_of(scene))
        found = stage.find([{"role": "user", "content": f"New task:\n{told}\nGo on."}])
        assert found.spoken == scene.spoken


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "user", "content": "What is the capital of France?"}],
        [{"role": "system", "content": "You are a refunds agent."}],
        [{"role": "user"}],
    ],
    ids=["other words", "no user", "no content"],
)
def test_other_messages_are_unknown(stage, messages):
    with pytest.raises(UnknownConversationError, match=r"stands in none of the loaded corpora \(.*refunds"):
        stage.find(messages)


def test_the_system_text_decides_between_two_fixtures_with_the_same_user(tmp_path):
    (tmp_path / "corpus.toml").write_text(
        'name = "twins"\nsystem = "State: {state}"\n[strata]\na = 2\n[[tools]]\nname = "t"\nparameters = {}\n'
        '[[probes]]\ntool = "t"\nargument = "x"\nmeasure = "closed-world"\n',
        encoding="utf-8",
    )
    line = '{"id": "%s", "stratum": "a", "messages": [{"role": "user", "content": "go"}], "visible": {"x": %d}}\n'
    (tmp_path / "fixtures.jsonl").write_text(line % ("one", 1) + line % ("two", 2), encoding="utf-8")
    stage = Stage([load(tmp_path)])
    assert [stage.find(messages_of(scene)).fixture.id for scene in stage.scenes] == ["one", "two"]


@pytest.mark.parametrize(
    ("content", "text"),
    [("a", "a"), (None, ""), ([{"type": "text", "text": "a"}, {"type": "image"}, "b"], "a"), (3, "")],
    ids=["string", "null", "parts", "number"],
)
def test_the_words_of_a_message(content, text):
    assert text_of(content) == text
