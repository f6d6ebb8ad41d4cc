// What a function without a body returns may be a valid pointer: the run goes on behind the access.
#include <assert.h>
extern char *find(void);
int main(void)
{
    char *found = find();
    if (found == 0 || *found == 0)
        return 0;
    assert(0);
}
