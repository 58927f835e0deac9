-- What a transfer may cost counts in the shares of the call that was transferred.

-- The request of the call whose transfer this money is for. Null: the money is for the request's own call.
alter table call_desk.ledger add column transfer_of uuid;
-- Every entry, by the request of its call.
create index ledger_by_call on call_desk.ledger (coalesce(transfer_of, request_id));
