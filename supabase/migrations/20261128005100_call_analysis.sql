-- What the model concluded from an ended call: summary, structured data, success evaluation.
alter table voice_platform.calls add column analysis jsonb;
