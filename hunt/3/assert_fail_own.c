// EXP reach safe
void __assert_fail(const char*a,const char*b,unsigned c,const char*d){ }
int main(void){ __assert_fail("","",1,""); }
