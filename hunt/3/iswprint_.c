// EXP reach safe
#include <wctype.h>
void reach_error(void){}
int main(void){ if(!iswprint(L'5')) reach_error(); }
