"""One collective of torch.distributed over gloo, measured as benches/mpi.c measures MPI's.

    python gloo.py RANKS

Reads lines "VERB BYTES BATCHES SECONDS" and answers each with one line of JSON:
{"seconds": [one per batch], "wrong": elements}. VERB is allreduce, allgather or broadcast (from
rank 0), of f32, summed; BYTES is the size of the whole vector; SECONDS is what a batch lasts at
least.
"""

import json
import multiprocessing
import sys
import tempfile
import time

import torch
import torch.distributed as dist


def held(rank, count):
    """What a rank holds: small integers, whose sums are exact."""
    return (rank + 1) * (torch.arange(count) % 7).float()


def prepare(verb, rank, ranks, count):
    """The call, and a function that counts what is wrong after it was called once."""
    if verb == "allgather":
        block = held(rank, count // ranks)
        parts = list(torch.empty(count // ranks * ranks).chunk(ranks))
        wrong = lambda: sum(int((p != held(r, count // ranks)).sum()) for r, p in enumerate(parts))
        return lambda: dist.all_gather(parts, block), wrong
    whole = held(rank, count)
    if verb == "broadcast":
        return lambda: dist.broadcast(whole, 0), lambda: int((whole != held(0, count)).sum())
    expected = sum(held(r, count) for r in range(ranks))
    # In place: the values grow from call to call, so only the first result is known.
    return lambda: dist.all_reduce(whole), lambda: int((whole != expected).sum())


def batch(call, times):
    """The slowest rank's mean time of `times` repetitions that begin together."""
    dist.barrier()
    begun = time.perf_counter()
    for _ in range(times):
        call()
    mean = torch.tensor([(time.perf_counter() - begun) / times], dtype=torch.float64)
    dist.all_reduce(mean, op=dist.ReduceOp.MAX)
    return mean.item()


def measure(verb, count, batches, seconds, rank, ranks):
    call, count_wrong = prepare(verb, rank, ranks, count)
    call()
    wrong = torch.tensor([count_wrong()])
    dist.all_reduce(wrong)
    times = 1
    while batch(call, times) * times < seconds:
        times *= 2
    return {"seconds": [batch(call, times) for _ in range(batches)], "wrong": wrong.item()}


def main(rank, ranks, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=ranks)
    torch.set_num_threads(1)
    while True:
        # Only the first process has the line; the others sleep until it sends it.
        line = [sys.stdin.readline().split() if rank == 0 else None]
        dist.broadcast_object_list(line, 0)
        if not line[0]:
            return
        verb, size, batches, seconds = line[0]
        answer = measure(verb, int(size) // 4, int(batches), float(seconds), rank, ranks)
        if rank == 0:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        store = folder + "/store"
        arguments = [(rank, count, store) for rank in range(1, count)]
        others = [multiprocessing.Process(target=main, args=given) for given in arguments]
        for process in others:
            process.start()
        main(0, count, store)
        for process in others:
            process.join()
