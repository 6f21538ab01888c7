"""Rate limits of the box take each browser phone for itself."""

import pytest
from test_pager import APP, begin


@pytest.fixture
def one_registration(monkeypatch):
    monkeypatch.setenv("PAGER2077_REGISTRATIONS_PER_MINUTE", "1")


def test_a_phone_that_has_used_up_its_limit_holds_up_no_other(one_registration, box, phones):
    for name in ["Ada", "Bob"]:
        begin(phones(box.address + APP), name)
