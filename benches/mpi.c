// One collective of MPI, measured the way our own ranks are: buffers are touched and the result is
// verified first, then come batches of repetitions, each begun together, and of each batch the
// slowest rank's mean time counts.
//
//   mpirun -n RANKS mpi VERB BYTES BATCHES SECONDS
//
// VERB is allreduce, allgather, reducescatter or broadcast (from rank 0), of f32, summed; BYTES is
// the size of the whole vector; SECONDS is what a batch lasts at least. Prints one line of JSON:
// {"seconds": [one of each batch], "wrong": elements}.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks, block, length;
static float *input, *output;

/* What rank r holds at position i: small integers, whose sums are exact. */
static float held(int r, int i) { return (float)((r + 1) * (i % 7)); }

static float summed(int i) {
  float sum = 0;
  for (int r = 0; r < ranks; r++) sum += held(r, i);
  return sum;
}

static void allreduce(void) {
  MPI_Allreduce(input, output, length, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(void) {
  MPI_Allgather(input, block, MPI_FLOAT, output, block, MPI_FLOAT, MPI_COMM_WORLD);
}

static void reduce_scatter(void) {
  static int *blocks;
  if (!blocks) {
    blocks = malloc(ranks * sizeof *blocks);
    for (int r = 0; r < ranks; r++) blocks[r] = block;
  }
  MPI_Reduce_scatter(input, output, blocks, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void broadcast(void) { MPI_Bcast(output, length, MPI_FLOAT, 0, MPI_COMM_WORLD); }

/* Every verb, and what it leaves: `count` elements, the first of which is that of position
 * `first`. A broadcast has one buffer, which the root fills. */
static const struct verb {
  const char *name;
  void (*run)(void);
} VERBS[] = {
  {"allreduce", allreduce},
  {"allgather", allgather},
  {"reducescatter", reduce_scatter},
  {"broadcast", broadcast},
};

static float expected(const struct verb *verb, int i) {
  if (verb->run == allreduce) return summed(i);
  if (verb->run == reduce_scatter) return summed(rank * block + i);
  if (verb->run == allgather) return held(i / block, i % block);
  return held(0, i);
}

static long verify(const struct verb *verb) {
  int count = verb->run == reduce_scatter ? block : length;
  long wrong = 0, all = 0;
  for (int i = 0; i < count; i++) wrong += output[i] != expected(verb, i);
  MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* The slowest rank's mean time of `times` repetitions that begin together. */
static double batch(const struct verb *verb, long times) {
  MPI_Barrier(MPI_COMM_WORLD);
  double begun = MPI_Wtime(), mean, slowest;
  for (long i = 0; i < times; i++) verb->run();
  mean = (MPI_Wtime() - begun) / (double)times;
  MPI_Allreduce(&mean, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static const struct verb *find(const char *name) {
  for (size_t v = 0; v < sizeof VERBS / sizeof *VERBS; v++) {
    if (!strcmp(VERBS[v].name, name)) return &VERBS[v];
  }
  fprintf(stderr, "no such verb: %s\n", name);
  exit(2);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 5) {
    fprintf(stderr, "usage: mpi VERB BYTES BATCHES SECONDS\n");
    exit(2);
  }
  const struct verb *verb = find(argv[1]);
  int batches = atoi(argv[3]);
  double seconds = atof(argv[4]);
  block = (int)(atol(argv[2]) / (long)sizeof(float) / ranks);
  length = block * ranks;
  input = malloc(length * sizeof *input);
  output = malloc(length * sizeof *output);
  if (!input || !output) {
    fprintf(stderr, "no memory for %s bytes\n", argv[2]);
    exit(1);
  }
  for (int i = 0; i < length; i++) {
    input[i] = held(rank, i);
    output[i] = verb->run == broadcast && rank == 0 ? input[i] : -1;
  }

  verb->run();
  long wrong = verify(verb), times = 1;
  /* The slowest rank's time is known to all, so all go on with the same number. */
  while (batch(verb, times) * times < seconds) times *= 2;
  for (int b = 0; b < batches; b++) {
    double mean = batch(verb, times);
    if (rank == 0) printf("%s%.9f", b ? ", " : "{\"seconds\": [", mean);
  }
  if (rank == 0) printf("], \"wrong\": %ld}\n", wrong);
  MPI_Finalize();
  return 0;
}
