"""The queue on Redis: takes submissions in, gives them to workers, keeps and announces results."""

from sandbox_service.queue.announcements import Watch
from sandbox_service.queue.cache import ResultCache
from sandbox_service.queue.connect import Client, connect
from sandbox_service.queue.consumer import Consumer
from sandbox_service.queue.embedded import EmbeddedServer, ServerNotStarted
from sandbox_service.queue.entry import DeadLetter, Entry, IdempotencyConflict, Lease, QueueFull, Status, Summary
from sandbox_service.queue.producer import Producer
from sandbox_service.queue.reader import Reader
from sandbox_service.queue.registry import WorkerInfo, WorkerRegistry
from sandbox_service.queue.settings import QueueSettings

__all__ = [
    "Client",
    "Consumer",
    "DeadLetter",
    "EmbeddedServer",
    "Entry",
    "IdempotencyConflict",
    "Lease",
    "Producer",
    "QueueFull",
    "QueueSettings",
    "Reader",
    "ResultCache",
    "ServerNotStarted",
    "Status",
    "Summary",
    "Watch",
    "WorkerInfo",
    "WorkerRegistry",
    "connect",
]
