

def collective(rank, x, out):
    """The schedule, round by round: exchange what is ready, then work on what has come."""
    memory = torch.zeros(MEMORY[rank], dtype=WIRE, device=x.device)
    (first, last), (out_first, out_last) = PLACES[rank]
    memory[first:last] = x
    held = {}
    for sends, receives, work in PROGRAM[rank]:
        posts = [dist.P2POp(dist.isend, wire(held[op]), to) for op, to in sends if len(held[op])]
        for op, sender, count in receives:
            held[op] = memory.new_empty(count)
            if count:
                posts.append(dist.P2POp(dist.irecv, wire(held[op]), sender))
        for post in dist.batch_isend_irecv(posts) if posts else []:
            post.wait()
        for what, op, *span in work:
            if what == "take":
                held[op] = memory[slice(*span)].clone()
            elif what == "add":
                held[op] = combine(held[op], memory[slice(*span)])
            elif what == "add-own":
                held[op] = combine(held[op], prepare(memory[slice(*span)]))
            elif what == "put":
                memory[slice(*span)] = held[op]
            elif what == "prepare":
                held[op] = prepare(held[op])
            elif what == "finish":
                held[op] = finish(held[op])
    out.copy_(memory[out_first:out_last])
