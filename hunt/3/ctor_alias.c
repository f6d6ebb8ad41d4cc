// EXP reach safe
void reach_error(void){}
int x; void f(void){x++;} void g(void) __attribute__((alias("f"),constructor));
int main(void){ if(x) reach_error(); }
