// The headers of Debian's liblink-grammar-dev. See Docs/Decisions/0101.

#ifndef LINK_GRAMMAR_SHIM_H
#define LINK_GRAMMAR_SHIM_H

#include <link-grammar/dict-api.h>
#include <link-grammar/link-includes.h>

#endif
