// expect: reach=unsafe
#include <pthread.h>
#include <assert.h>
#include <errno.h>
int main_waited;
void *f(void *a) { return 0; }
int main() { pthread_t t; pthread_create(&t, 0, f, 0); pthread_detach(t);
  int r = pthread_join(t, 0);
  assert(r == 0);   /* glibc: EINVAL while the thread runs; ESRCH/undefined once it is gone; never waits */
}
