drop index stock_ledger_once;
alter index stock_ledger_once_each rename to stock_ledger_once;
