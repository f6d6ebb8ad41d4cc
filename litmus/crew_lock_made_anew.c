// In each round `main` makes a lock, starts two threads that find it through a pointer, waits for both and
// destroys it. The pointer and the lock change only while no other thread is there.
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
  guard = malloc(sizeof *guard);
  pthread_mutex_init(guard, 0);
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_mutex_destroy(guard);
  free(guard);
}

int main(void) {
  round_of_two();
  round_of_two();
  return shared;
}
