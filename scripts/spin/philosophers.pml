/* Dining philosophers for ever, who take the fork with the smaller number first: the counterpart of
 * philosophers.c. Each transition is one lock operation, or the local steps before the first one. */
#ifndef N
#define N 9
#endif

bool taken[N];

#define LOCK(f)   atomic { !taken[f] -> taken[f] = true }
#define UNLOCK(f) taken[f] = false

proctype philosopher(byte left)
{
  byte right, first, second;
  d_step {
    right = (left + 1) % N;
    first = (left < right -> left : right);
    second = (left < right -> right : left)
  };
  do
  :: LOCK(first);
     LOCK(second);
     UNLOCK(second);
     UNLOCK(first)
  od
}

init {
  byte i = 0;
  do
  :: i < N -> run philosopher(i); i++
  :: else -> break
  od
}
