"""The queue on Redis: takes submissions in, gives them to workers, keeps and announces results."""

from sandbox_service.queue.connect import Client, connect
