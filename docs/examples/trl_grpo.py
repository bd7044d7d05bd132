"""GRPO with TRL on one CPU, in a minute: a model that knows six programs learns which of them doubles a number.

    pip install sandbox-service trl
    sandbox-service up &
    python trl_grpo.py

The model and its tokenizer are made here, so that nothing is downloaded. With a model of yours, only `reward_funcs` and
the column `tests` stay as they are.
"""

from datasets import Dataset
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, PrinterCallback, set_seed
from trl import GRPOConfig, GRPOTrainer

from sandbox_service.adapters.trl import reward_fn

TESTS = {"inputs": ["1", "3"], "outputs": ["2", "6"]}
ROWS = [{"prompt": prompt, "tests": TESTS} for prompt in ("double", "twice", "two times")]
BODIES = ["2 * n", "n * n", "n + 1", "n - 1", "n +", "n / 0"]
PROGRAMS = [f"```python\nn = int(input())\nprint({body})\n```" for body in BODIES]


def make_tokenizer() -> PreTrainedTokenizerFast:
    """Words of the prompts, and one token for each program."""
    words = ["<pad>", "<eos>", "<unk>", "double", "twice", "two", "times", *PROGRAMS]
    model = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    model.pre_tokenizer = WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=model, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>")


def make_model(vocabulary: int) -> LlamaForCausalLM:
    """A model that knows nothing."""
    set_seed(0)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    return LlamaForCausalLM(LlamaConfig(vocab_size=vocabulary, pad_token_id=0, eos_token_id=1, **sizes))


def train(reward_func, output_dir="/tmp/trl_grpo", steps=30, rows=ROWS) -> list[dict]:
    """Train; what TRL logs, a dictionary a step."""
    tokenizer = make_tokenizer()
    config = GRPOConfig(
        output_dir=output_dir,
        max_steps=steps,
        per_device_train_batch_size=32,
        num_generations=16,
        max_completion_length=1,
        learning_rate=1e-2,
        beta=0.0,
        use_cpu=True,
        bf16=False,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )
    trainer = GRPOTrainer(
        model=make_model(len(tokenizer)),
        processing_class=tokenizer,
        reward_funcs=[reward_func],
        args=config,
        train_dataset=Dataset.from_list(list(rows) * 64),
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    return [entry for entry in trainer.state.log_history if "reward" in entry]


if __name__ == "__main__":
    log = train(reward_fn())
    for entry in log[::5] + log[-1:]:
        print(f"reward {entry['reward']:.2f}  not judged {entry['sandbox/infra_rate']:.0%}")
