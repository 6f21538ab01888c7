// The headers of Debian's libpq-dev. See Docs/Decisions/0114.

#ifndef POSTGRESQL_SHIM_H
#define POSTGRESQL_SHIM_H

#include <libpq-fe.h>

#endif
