/* Peterson's algorithm for N processes (the filter lock), for ever: the counterpart of peterson.c.
 * Each transition is one access to shared memory with the local steps behind it, or the test at the
 * head of a loop, as there. */
#ifndef N
#define N 4
#endif

byte level[N];
byte last[N];
byte inside;

proctype process(byte arg)
{
  byte me, l, k;
  me = arg;
  do
  :: l = 1;
     do
     :: l < N ->
        level[me] = l;
        d_step { last[l] = me; k = 0 };
        do
        :: d_step { k < N && k == me -> k++ }
        :: k < N && k != me ->
wait:      if
           :: d_step { level[k] < l -> k++ }
           :: level[k] >= l ->
              if
              :: d_step { last[l] != me -> k++ }
              :: last[l] == me -> goto wait
              fi
           fi
        :: d_step { k >= N -> l++ }; break
        od
     :: l >= N -> break
     od;
     inside = me;
     assert(inside == me);
     level[me] = 0
  od
}

init {
  byte i = 0;
  do
  :: i < N -> run process(i); i++
  :: else -> break
  od
}
