-- What the parts of an ended call cost, by the operator's own prices: the platform's positions (`costs`).
alter table voice_platform.calls add column costs jsonb;
