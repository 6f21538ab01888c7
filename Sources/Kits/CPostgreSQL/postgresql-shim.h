// The header of Debian's libpq-dev, or of another system's. See Docs/Decisions/0114.

#ifndef POSTGRESQL_SHIM_H
#define POSTGRESQL_SHIM_H

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

#endif
