/*
 * @name@ with a queue at each of its interfaces. Transfers into it wait in their queue until they are taken, those out of it
 * are taken at once and wait in theirs, each with its clock. Whoever connects several of them runs each for as many clocks as
 * the shortest wire between them is long, and then moves what has left.
 */
#ifndef @guard@_BENCH_H
#define @guard@_BENCH_H

#include "@name@.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The interfaces: those with a handshake. A transfer is an array of limbs, those of its fields one behind the other. */
enum {
@interfaces@    @name@_INTERFACES
};

typedef struct @name@_bench @name@_bench;

/* After a reset of one clock. NULL if there is no memory. */
@name@_bench *@name@_bench_new(void);
void @name@_bench_free(@name@_bench *bench);

/* The number of clocks since the reset. */
uint64_t @name@_bench_now(const @name@_bench *bench);

/* What has no handshake, and holds in each clock. Fields of interfaces are overwritten. */
@name@_inputs *@name@_bench_inputs(@name@_bench *bench);

/* The outputs as they are now. */
void @name@_bench_read(const @name@_bench *bench, @name@_outputs *outputs);

/* So many clocks. Whether there was memory for all that left. */
int @name@_bench_run(@name@_bench *bench, uint64_t clocks);

/* While it is paused an interface into the model offers no further transfer, and one out of it has its ready 0. */
void @name@_bench_pause(@name@_bench *bench, size_t interface, int paused);

/* Appends a transfer, which is not offered before the clock `at`. Whether there was memory for it. */
int @name@_bench_put(@name@_bench *bench, size_t interface, uint64_t at, const uint64_t *transfer);

/* Appends the beats of a frame to an interface with tdata, tkeep and tlast; the other fields are those of `transfer`. */
int @name@_bench_put_frame(
    @name@_bench *bench, size_t interface, uint64_t at, const uint64_t *transfer, const uint8_t *frame, size_t length);

/* The number of transfers in the queue of an interface, and of those with tlast. */
size_t @name@_bench_waiting(const @name@_bench *bench, size_t interface);
size_t @name@_bench_frames(const @name@_bench *bench, size_t interface);

/* Removes the first transfer of a queue: its clock and its limbs. Whether there was one. */
int @name@_bench_take(@name@_bench *bench, size_t interface, uint64_t *at, uint64_t *transfer);

/* Removes the first whole frame; the clock and the other fields are those of its last beat. Its length, of which no more than
 * `capacity` bytes are copied; 0 if there is none. */
size_t @name@_bench_take_frame(
    @name@_bench *bench, size_t interface, uint64_t *at, uint64_t *transfer, uint8_t *frame, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
