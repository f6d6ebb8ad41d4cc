// EXP reach unsafe
#include <locale.h>
#include <ctype.h>
void reach_error(void){}
int main(void){ setlocale(LC_ALL,"de_DE.ISO-8859-1"); if(toupper(0xe4)!=0xe4) reach_error(); }
