// Like crew_lock_made_anew.c, but the lock of the first round, destroyed, is still behind the pointer in the
// second: locking it fails, and the threads go on without.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *guard;
static int shared;

static void *work(void *unused) {
  pthread_mutex_lock(guard);
  shared++;
  pthread_mutex_unlock(guard);
  return 0;
}

static void round_of_two(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}

int main(void) {
  guard = malloc(sizeof *guard);
  pthread_mutex_init(guard, 0);
  round_of_two();
  pthread_mutex_destroy(guard);
  round_of_two();
  return shared;
}
