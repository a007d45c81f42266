"""What the page of the dialect says the vendor's Python client can do, done once; prints one JSON line for each."""

import asyncio
import json

import weave


def say(what, *values):
    print(json.dumps([what, *values]), flush=True)


client = weave.init("acme/python")
say("client", client.entity, client.project)


@weave.op
def inner(x: int) -> dict:
    return {"doubled": x * 2}


@weave.op
def outer(x: int, note: dict) -> dict:
    return {"inner": inner(x), "note": note}


@weave.op
def fails() -> None:
    raise TypeError("boom")


with weave.attributes({"env": "test"}):
    outer(2, {"deep": [1.5, None, "ü"]})
try:
    fails()
except TypeError:
    pass
with weave.thread("a question?\nwith a second line"):
    inner(5)
client.flush()

calls = list(client.get_calls(sort_by=[{"field": "started_at", "direction": "asc"}], include_costs=True))
say("calls", [[call.func_name, call.exception is not None, call.parent_id is None] for call in calls])
root = next(call for call in calls if call.func_name == "outer")
say("outer", root.inputs["x"], root.output["inner"], root.attributes["env"], root.summary["weave"]["status"])
say("thread", [call.thread_id for call in calls if call.thread_id])
say("usernames", len(list(client.get_calls(include_usernames=True, limit=1))))

root.set_display_name("renamed")
client.flush()
say("renamed", client.get_call(root.id).display_name)
root.feedback.add_note("good")
root.feedback.add_reaction("👍")
root.feedback.add("custom", {"score": 0.5})
client.flush()
say("feedback", sorted(item.feedback_type for item in root.feedback.refresh()))

ref = weave.publish({"a": 1, "b": [True, None, "x"]}, "settings")
say("object", dict(weave.ref(ref.uri()).get())["a"])
dataset = weave.Dataset(name="qa", rows=[{"q": "one", "n": 1}, {"q": "two", "n": 2}])
say("dataset", [[row["q"], row["n"]] for row in weave.ref(weave.publish(dataset).uri()).get().rows])
prompt = weave.publish(weave.StringPrompt("Hello {name}"), "greeting")
say("prompt", weave.ref(prompt.uri()).get().format(name="you"))


class Doubler(weave.Model):
    factor: int = 2

    @weave.op
    def predict(self, n: int) -> int:
        return n * self.factor


@weave.op
def is_even(output: int) -> dict:
    return {"even": output % 2 == 0}


evaluation = weave.Evaluation(dataset=dataset, scorers=[is_even])
score = asyncio.run(evaluation.evaluate(Doubler()))
say("evaluation", score["is_even"]["even"]["true_count"])

client.add_cost(llm_id="their-model", prompt_token_cost=0.5, completion_token_cost=2, cache_read_input_token_cost=0.25)
say("costs", [[cost.llm_id, cost.prompt_token_cost] for cost in client.query_costs(llm_ids=["their-model"])])

client.delete_call(root)
client.flush()
say("deleted", root.id not in [call.id for call in client.get_calls()])
client.finish()
