// Like crew_lock_made_anew.c, but `main` puts another lock behind the pointer while the threads run: they may hold
// different ones.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *_Atomic guard = &one;
static int shared;

static void *work(void *unused) {
  pthread_mutex_t *mine = guard;
  pthread_mutex_lock(mine);
  shared++;
  pthread_mutex_unlock(mine);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  guard = &other;
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
