

def main():
    rank = int(os.environ["RANK"])
    if BACKEND == "nccl":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    device = torch.device("cuda" if BACKEND == "nccl" else "cpu")
    dist.init_process_group(BACKEND)
    if dist.get_world_size() != RANKS:
        raise SystemExit(f"this scenario has {RANKS} ranks: torchrun --nproc-per-node {RANKS}")
    x = inputs(rank, *HELD[rank]).to(device)
    out = torch.zeros(LENGTHS[rank], dtype=WIRE, device=device)
    collective(rank, x, out)
    different = check(rank, out)
    print(f"rank {rank}: {len(out) - different} of {len(out)} elements as expected", flush=True)
    measure(rank, lambda: collective(rank, x, out), device)
    dist.destroy_process_group()
    raise SystemExit(1 if different else 0)


def measure(rank, call, device, runs=20):
    """Mean time of a call, as nccl-tests reports it."""
    for _ in range(3):
        call()
    dist.barrier()
    if device.type == "cuda":
        torch.cuda.synchronize()
    begun = time.perf_counter()
    for _ in range(runs):
        call()
    if device.type == "cuda":
        torch.cuda.synchronize()
    us = (time.perf_counter() - begun) / runs * 1e6
    if rank == 0:
        algbw = BYTES / us / 1e3
        print(f"{us:.1f} us, algbw {algbw:.3f} GB/s, busbw {algbw * BUS_FACTOR:.3f} GB/s")


if __name__ == "__main__":
    main()
