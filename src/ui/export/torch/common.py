

def bits_of(numbers):
    """Adds, mixes: the seeded numbers of the page, which any rank can make for any other."""
    mask = lambda count: (1 << count) - 1
    x = numbers * (0x9E3779B97F4A7C15 - (1 << 64))
    x = (x ^ ((x >> 30) & mask(34))) * (0xBF58476D1CE4E5B9 - (1 << 64))
    x = (x ^ ((x >> 27) & mask(37))) * (0x94D049BB133111EB - (1 << 64))
    return x ^ ((x >> 31) & mask(33))


def inputs(rank, start, stop):
    """Elements start..stop of the whole vector, as `rank` holds them before the call."""
    if SEED is None:
        first = HELD[rank][0]
        return numbers(INPUTS[rank][start - first : stop - first])
    at = torch.arange(start, stop, dtype=torch.int64)
    x = bits_of(SEED + (rank << 40) + at)
    if not DTYPE.is_floating_point:
        return (x >> (64 - SEED_BITS)).to(DTYPE).to(WIRE)
    steps = ((x >> (64 - SEED_BITS)) & ((1 << SEED_BITS) - 1) | 1) - (1 << (SEED_BITS - 1))
    return (steps.double() / (1 << (SEED_BITS - 2))).to(DTYPE).to(WIRE)


def numbers(values):
    exact = torch.float64 if DTYPE.is_floating_point else torch.int64
    return torch.tensor(values, dtype=exact).to(DTYPE).to(WIRE)


def combine(a, b):
    """What the operator does to two vectors; a mean combines as a sum."""
    if a.dtype.itemsize == 1 and a.is_floating_point():
        return combine(a.float(), b.float()).to(a.dtype)
    if OP == "max":
        return torch.maximum(a, b)
    if OP == "min":
        return torch.minimum(a, b)
    return a * b if OP == "product" else a + b


def prepare(x):
    """What a rank does to its own numbers first: a pre-scaled mean takes its share of them."""
    if OP != "mean-pre":
        return x
    share = torch.tensor(1 / RANKS, dtype=torch.float64).to(x.dtype)
    if x.dtype.itemsize == 1:
        return (x.float() * share.float()).to(x.dtype)
    return x * share.to(x.device)


def finish(x):
    """What is done to a complete result: a mean divides, and what was added in f32 is rounded."""
    if OP == "mean":
        if not x.is_floating_point():
            x = torch.div(x, RANKS, rounding_mode="trunc")
        elif x.dtype.itemsize == 1:
            x = (x.float() / RANKS).to(x.dtype)
        else:
            x = x / RANKS
    return x.to(DTYPE).to(WIRE)


def wire(x):
    """Types that a backend does not know travel as bytes."""
    return x.view(torch.uint8) if x.dtype.itemsize == 1 and x.is_floating_point() else x


def whole(rank, source):
    """What `rank` must end with, made of what `source(rank, start, stop)` says of the inputs."""
    parts = []
    for sources, start, stop in WANTED[rank]:
        part = source(sources[0], start, stop)
        for other in sources[1:]:
            more = source(other, start, stop)
            part = part * more if OP == "product" else combine(part, more)
        parts.append(part)
    return torch.cat(parts) if parts else torch.empty(0)


def check(rank, out):
    """Compares a result with what the page expects; says how many elements differ."""
    out = out.cpu().double() if DTYPE.is_floating_point else out.cpu()
    exactly = lambda r, start, stop: inputs(r, start, stop).double()
    if EXPECTED is not None:
        want = numbers(EXPECTED[rank])
    elif REDUCES and DTYPE.is_floating_point:
        want = whole(rank, exactly)
        want = want / RANKS if OP.startswith("mean") else want
    else:
        want = whole(rank, inputs)
        want = finish(want) if REDUCES else want
    want = want.to(out.dtype)
    same = (out == want) | (out.isnan() & want.isnan())
    if REDUCES and DTYPE.is_floating_point and not SAME_BITS:
        # Another order of additions rounds otherwise, by so much at most.
        size = whole(rank, lambda *of: exactly(*of).abs()).double()
        size = size / RANKS if OP.startswith("mean") else size
        steps = 0 if OP in ("max", "min") else RANKS + 2
        same |= (out - want).abs() <= steps * torch.finfo(DTYPE).eps * size
    return int((~same).sum())
