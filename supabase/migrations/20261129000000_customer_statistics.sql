-- Each plan of a list by a customer's fields compares the parameter with every value of these statistics: ten tell as much as a hundred.
alter table voice_platform.calls alter column customer set statistics 10;
