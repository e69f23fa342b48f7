#include "@name@_bench.h"

#include <stdlib.h>
#include <string.h>

#define INPUT(port) (offsetof(@name@_inputs, port) / sizeof(uint64_t))
#define OUTPUT(port) (offsetof(@name@_outputs, port) / sizeof(uint64_t))
/* In place of a port or field that is not there. */
#define NONE SIZE_MAX

/* A field: its place in the struct of its direction, and in a transfer. */
typedef struct {
    size_t port, at, limbs;
} Field;

typedef struct {
    int input;
    /* Places of valid and ready in their structs. */
    size_t valid, ready;
    const Field *fields;
    size_t count, limbs;
    /* Places of these in a transfer; bytes of tdata. */
    size_t tdata, tkeep, tlast, bytes;
} Interface;

@fields@
static const Interface interfaces[] = {
@table@};

/* A ring of transfers, each behind its clock. */
typedef struct {
    uint64_t *rows;
    size_t capacity, first, count, frames;
} Queue;

struct @name@_bench {
    @name@ model;
    union {
        @name@_inputs ports;
        uint64_t limbs[sizeof(@name@_inputs) / sizeof(uint64_t)];
    } in;
    union {
        @name@_outputs ports;
        uint64_t limbs[sizeof(@name@_outputs) / sizeof(uint64_t)];
    } out;
    uint64_t now;
    Queue queues[@name@_INTERFACES];
    /* A transfer is offered and not taken yet; that of an interface stays until it is. */
    uint8_t offered[@name@_INTERFACES], paused[@name@_INTERFACES];
};

static uint64_t *row(const @name@_bench *bench, size_t i, size_t number) {
    const Queue *queue = &bench->queues[i];
    return queue->rows + (queue->first + number) % queue->capacity * (interfaces[i].limbs + 1);
}

static size_t is_last(size_t i, const uint64_t *transfer) {
    return interfaces[i].tlast != NONE && transfer[interfaces[i].tlast] ? 1 : 0;
}

/* The limbs of a new row behind all others; NULL without memory. */
static uint64_t *push(@name@_bench *bench, size_t i, uint64_t at) {
    Queue *queue = &bench->queues[i];
    if (queue->count == queue->capacity) {
        const size_t size = (interfaces[i].limbs + 1) * sizeof(uint64_t), capacity = queue->capacity ? 2 * queue->capacity : 16;
        uint64_t *rows = malloc(capacity * size);
        if (!rows) return NULL;
        for (size_t n = 0; n < queue->count; n++) memcpy((char *)rows + n * size, row(bench, i, n), size);
        free(queue->rows);
        queue->rows = rows;
        queue->capacity = capacity;
        queue->first = 0;
    }
    uint64_t *const to = row(bench, i, queue->count++);
    to[0] = at;
    return to + 1;
}

static void pop(@name@_bench *bench, size_t i) {
    Queue *queue = &bench->queues[i];
    if (is_last(i, row(bench, i, 0) + 1)) queue->frames--;
    queue->first = (queue->first + 1) % queue->capacity;
    queue->count--;
}

@name@_bench *@name@_bench_new(void) {
    @name@_bench *bench = calloc(1, sizeof *bench);
    if (!bench) return NULL;
    @name@_init(&bench->model);
    @name@_clock(&bench->model, 1, &bench->in.ports);
    return bench;
}

void @name@_bench_free(@name@_bench *bench) {
    if (!bench) return;
    for (size_t i = 0; i < @name@_INTERFACES; i++) free(bench->queues[i].rows);
    free(bench);
}

uint64_t @name@_bench_now(const @name@_bench *bench) {
    return bench->now;
}

@name@_inputs *@name@_bench_inputs(@name@_bench *bench) {
    return &bench->in.ports;
}

void @name@_bench_read(const @name@_bench *bench, @name@_outputs *outputs) {
    @name@_read(&bench->model, outputs);
}

void @name@_bench_pause(@name@_bench *bench, size_t interface, int paused) {
    bench->paused[interface] = paused != 0;
}

/* What an interface into the model does in a clock. */
static void offer(@name@_bench *bench, size_t i) {
    const Interface *interface = &interfaces[i];
    const Queue *queue = &bench->queues[i];
    const int waits = queue->count && row(bench, i, 0)[0] <= bench->now && !bench->paused[i];
    if (!bench->offered[i] && waits) {
        const uint64_t *transfer = row(bench, i, 0) + 1;
        for (size_t n = 0; n < interface->count; n++) {
            const Field *field = &interface->fields[n];
            memcpy(bench->in.limbs + field->port, transfer + field->at, field->limbs * sizeof(uint64_t));
        }
        bench->offered[i] = 1;
    }
    bench->in.limbs[interface->valid] = bench->offered[i];
    if (!bench->offered[i] || (interface->ready != NONE && !bench->out.limbs[interface->ready])) return;
    bench->offered[i] = 0;
    pop(bench, i);
}

/* What an interface out of the model does in a clock; whether there was memory for it. */
static int accept(@name@_bench *bench, size_t i) {
    const Interface *interface = &interfaces[i];
    const uint64_t ready = interface->ready == NONE || !bench->paused[i];
    if (interface->ready != NONE) bench->in.limbs[interface->ready] = ready;
    if (!bench->out.limbs[interface->valid] || !ready) return 1;
    uint64_t *transfer = push(bench, i, bench->now);
    if (!transfer) return 0;
    for (size_t n = 0; n < interface->count; n++) {
        const Field *field = &interface->fields[n];
        memcpy(transfer + field->at, bench->out.limbs + field->port, field->limbs * sizeof(uint64_t));
    }
    bench->queues[i].frames += is_last(i, transfer);
    return 1;
}

int @name@_bench_run(@name@_bench *bench, uint64_t clocks) {
    int whole = 1;
    for (; clocks > 0; clocks--) {
        @name@_read(&bench->model, &bench->out.ports);
        for (size_t i = 0; i < @name@_INTERFACES; i++) {
            if (interfaces[i].input) offer(bench, i);
            else whole &= accept(bench, i);
        }
        @name@_clock(&bench->model, 0, &bench->in.ports);
        bench->now++;
    }
    return whole;
}

int @name@_bench_put(@name@_bench *bench, size_t interface, uint64_t at, const uint64_t *transfer) {
    uint64_t *to = push(bench, interface, at);
    if (!to) return 0;
    memcpy(to, transfer, interfaces[interface].limbs * sizeof(uint64_t));
    bench->queues[interface].frames += is_last(interface, to);
    return 1;
}

/* Bytes lie in limbs with the lowest first, whatever the order of the machine is. */
static void put_bytes(uint64_t *limbs, const uint8_t *bytes, size_t length) {
    for (size_t n = 0; n < length; n++) limbs[n / 8] |= (uint64_t)bytes[n] << n % 8 * 8;
}

int @name@_bench_put_frame(
    @name@_bench *bench, size_t i, uint64_t at, const uint64_t *transfer, const uint8_t *frame, size_t length) {
    const Interface *interface = &interfaces[i];
    const size_t bytes = interface->bytes;
    for (size_t done = 0; done < length; done += bytes) {
        const size_t rest = length - done, beat = rest < bytes ? rest : bytes;
        if (!@name@_bench_put(bench, i, at, transfer)) return 0;
        uint64_t *const to = row(bench, i, bench->queues[i].count - 1) + 1;
        memset(to + interface->tdata, 0, (bytes + 7) / 8 * sizeof(uint64_t));
        memset(to + interface->tkeep, 0, (bytes + 63) / 64 * sizeof(uint64_t));
        put_bytes(to + interface->tdata, frame + done, beat);
        for (size_t n = 0; n < beat; n++) to[interface->tkeep + n / 64] |= UINT64_C(1) << n % 64;
        bench->queues[i].frames += (size_t)(rest <= bytes) - is_last(i, to);
        to[interface->tlast] = rest <= bytes;
    }
    return 1;
}

size_t @name@_bench_waiting(const @name@_bench *bench, size_t interface) {
    return bench->queues[interface].count;
}

size_t @name@_bench_frames(const @name@_bench *bench, size_t interface) {
    return bench->queues[interface].frames;
}

int @name@_bench_take(@name@_bench *bench, size_t interface, uint64_t *at, uint64_t *transfer) {
    if (!bench->queues[interface].count) return 0;
    const uint64_t *from = row(bench, interface, 0);
    *at = from[0];
    memcpy(transfer, from + 1, interfaces[interface].limbs * sizeof(uint64_t));
    pop(bench, interface);
    return 1;
}

size_t @name@_bench_take_frame(
    @name@_bench *bench, size_t i, uint64_t *at, uint64_t *transfer, uint8_t *frame, size_t capacity) {
    const Interface *interface = &interfaces[i];
    if (!bench->queues[i].frames) return 0;
    size_t length = 0;
    do {
        @name@_bench_take(bench, i, at, transfer);
        for (size_t n = 0; n < interface->bytes; n++) {
            if (!(transfer[interface->tkeep + n / 64] >> n % 64 & 1)) continue;
            if (length < capacity) frame[length] = (uint8_t)(transfer[interface->tdata + n / 8] >> n % 8 * 8);
            length++;
        }
    } while (!transfer[interface->tlast]);
    return length;
}
