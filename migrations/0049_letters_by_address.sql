-- Letters are counted by address in rate_limits, not by user and hour of sending.
drop index outbox_sent;
