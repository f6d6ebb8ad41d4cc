/* Dining philosophers for ever, who take the fork with the smaller number first: the counterpart of
 * philosophers.c, with one transition for each lock operation there. */
#ifndef N
#define N 10
#endif

bool taken[N];

#define LOCK(f)   atomic { !taken[f] -> taken[f] = true }
#define UNLOCK(f) taken[f] = false

proctype philosopher(byte first; byte second)
{
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
  :: i < N - 1 -> run philosopher(i, i + 1); i++
  :: else -> break
  od;
  run philosopher(0, N - 1)
}
