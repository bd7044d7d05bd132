"""OpenRLHF's own client of a remote reward, by URL and by file, with a model that answers from a list."""

import asyncio
import json
import sys
from types import SimpleNamespace

import torch
from openrlhf.utils.agent import SingleTurnAgentExecutor

url, file, away = sys.argv[1:]
PROMPT = "<|user|>Double it.<|assistant|>"
LABEL = json.dumps({"inputs": ["1", "3"], "outputs": ["2", "6"]})
ANSWERS = ["```python\nprint(2 * int(input()))\n```<|end|>", "```python\nprint(2)\n```<|end|>", "I do not know.<|end|>"]


class Tokenizer:
    def __call__(self, text, **_):
        return {"input_ids": torch.tensor([[ord(letter) for letter in text]])}

    def decode(self, ids, skip_special_tokens):
        return "".join(map(chr, ids))


class Engine:
    def __init__(self, answer):
        self.answer = answer

    async def generate(self, *_, **__):
        output = SimpleNamespace(token_ids=[ord(letter) for letter in self.answer], finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[output])


async def rewards(endpoint):
    executor, found = SingleTurnAgentExecutor(endpoint), []
    for answer in ANSWERS:
        sampling = SimpleNamespace(max_tokens=200, logprobs=None)
        output = await executor.execute(PROMPT, LABEL, sampling, 1000, Tokenizer(), Engine(answer))
        found.append([_plain(output["reward"]), _plain(output["scores"])])
    return found


def _plain(value):
    value = value.tolist() if hasattr(value, "tolist") else value
    return value[0] if isinstance(value, list) else value


print(json.dumps(asyncio.run(rewards(f"{url}/compat/openrlhf/get_reward"))))
print(json.dumps(asyncio.run(rewards(file))))
print(json.dumps(asyncio.run(rewards(f"{away}/compat/openrlhf/get_reward"))))
