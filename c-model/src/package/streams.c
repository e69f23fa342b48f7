/*
 * Plays the golden vectors on the model, those of the Verilog testbench in its files:
 *
 *     cc -O2 -o @name@ @name@.c @name@_main.c && ./@name@
 *
 * Arguments: the directory of the .hex files if they are not beside the program; +seed=N; +stall=PERCENT, of the clocks in
 * which each stream pauses. The last line is `PASS items=N`, the items that were compared, and the exit status 0; or
 * `FAIL ..` with the first difference, bits that are not compared as `x`, and the status is 1.
 */
@common@
/* So many clocks without a transfer end the run when all items have come, and when some are missing. */
#define DRAIN 1000
#define WATCHDOG 100000
#define RESET_CLOCKS 8
/* In place of a `ready` that is not there. */
#define NONE SIZE_MAX

typedef struct {
    const char *name;
    int input;
    /* Places of `tvalid` and `tready` in their structs. */
    size_t valid, ready;
    const Port *ports;
    size_t count;
    /* Bits of an item. Those of an output have its mask above it. */
    unsigned bits;
    File items;
    /* Items that have passed. */
    unsigned done;
    /* An item is offered and not taken yet. */
    int held;
} Stream;

@ports@
static Stream streams[] = {
@streams@};

/* The outputs of the clock before. */
static uint64_t before[COUNT(out.limbs)];
static uint64_t state = 1;
static unsigned stall = 30;

static uint64_t random_bits(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static int stalls(void) {
    return random_bits() >> 32 < ((uint64_t)stall << 32) / 100;
}

static void difference(const Stream *stream, const char *field, const char *what) {
    printf("FAIL stream=%s item=%u field=%s%s", stream->name, stream->done, field, what);
}

/* What an input stream does in a clock; whether an item passes. */
static int send(Stream *stream, int reset) {
    if (!stream->held) {
        stream->held = !reset && stream->done < stream->items.rows && !stalls();
        in.limbs[stream->valid] = stream->held;
        for (size_t i = 0; i < stream->count; i++) {
            const Port *port = &stream->ports[i];
            if (stream->held) put(port, row(&stream->items, stream->done), 0);
            /* Without `tvalid` it means nothing. */
            else for (unsigned j = 0; j * 64 < port->width; j++) in.limbs[port->at + j] = random_bits();
        }
    }
    if (!stream->held || (stream->ready != NONE && !out.limbs[stream->ready])) return 0;
    stream->held = 0;
    stream->done++;
    return 1;
}

/* An output that is not taken stays as it is. */
static void stable(const Stream *stream) {
    for (size_t i = 0; i < stream->count; i++) {
        const Port *port = &stream->ports[i];
        const size_t size = (port->width + 63) / 64 * sizeof(uint64_t);
        if (!out.limbs[stream->valid] || memcmp(before + port->at, out.limbs + port->at, size) != 0) {
            difference(stream, out.limbs[stream->valid] ? port->name : "tvalid", ".stable\n");
            exit(1);
        }
    }
}

/* What an output stream does in a clock; whether an item passes. */
static int take(Stream *stream, int reset) {
    const int valid = !reset && out.limbs[stream->valid], ready = stream->ready == NONE || (!reset && !stalls());
    if (stream->ready != NONE) in.limbs[stream->ready] = ready;
    if (stream->held) stable(stream);
    stream->held = valid && !ready;
    if (!valid || !ready) return 0;
    if (stream->done == stream->items.rows) {
        difference(stream, "surplus", "\n");
        exit(1);
    }
    const uint64_t *item = row(&stream->items, stream->done);
    for (size_t i = 0; i < stream->count; i++) {
        if (!differs(&stream->ports[i], item, stream->bits)) continue;
        difference(stream, stream->ports[i].name, "");
        fail(&stream->ports[i], item, stream->bits);
    }
    stream->done++;
    return 1;
}

int main(int argc, char **argv) {
    const char *directory = beside(argv[0]);
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "+seed=", 6) == 0) state = strtoull(argv[i] + 6, NULL, 10) * 2 + 1;
        else if (strncmp(argv[i], "+stall=", 7) == 0) stall = (unsigned)strtoul(argv[i] + 7, NULL, 10);
        else directory = argv[i];
    }
    if (stall > 95) stall = 95;
    for (size_t i = 0; i < COUNT(streams); i++) load(&streams[i].items, directory);
    @name@_init(&model);
    unsigned idle = 0;
    int complete = 0;
    for (unsigned clock = 0; idle <= (complete ? DRAIN : WATCHDOG); clock++) {
        const int reset = clock < RESET_CLOCKS;
        int moves = 0;
        complete = 1;
        @name@_read(&model, &out.ports);
        for (size_t i = 0; i < COUNT(streams); i++) {
            Stream *stream = &streams[i];
            moves |= stream->input ? send(stream, reset) : take(stream, reset);
            complete &= stream->done == stream->items.rows;
        }
        memcpy(before, out.limbs, sizeof before);
        @name@_clock(&model, reset, &in.ports);
        idle = moves ? 0 : idle + 1;
    }
    unsigned compared = 0;
    for (size_t i = 0; i < COUNT(streams); i++) {
        const Stream *stream = &streams[i];
        if (stream->done < stream->items.rows) {
            difference(stream, stream->input ? "tready" : "missing", "\n");
            return 1;
        }
        if (!stream->input) compared += stream->done;
    }
    printf("%s items=%u\n", compared ? "PASS" : "FAIL", compared);
    return compared ? 0 : 1;
}
