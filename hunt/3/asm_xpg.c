// EXP reach unsafe
void reach_error(void){}
int x;
int f(void) __asm__("__xpg_f");
int __xpg_f(void){ x=1; return 0; }
int main(void){ f(); if(x) reach_error(); }
