/* N processes take turns by tickets, for ever: the counterpart of tickets.c. Each transition is one access to shared
 * memory with the local steps behind it. */
#ifndef N
#define N 4
#endif

byte next;
byte serving;
byte inside;

proctype process(byte arg)
{
  byte me, mine;
  me = arg;
  do
  :: d_step { mine = next; next++ };
     do
     :: serving == mine -> break
     :: serving != mine
     od;
     inside = me;
     assert(inside == me);
     d_step { serving = mine + 1; mine = 0 }
  od
}

init {
  byte i = 0;
  do
  :: i < N -> run process(i); i++
  :: else -> break
  od
}
