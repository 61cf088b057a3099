create table if not exists ratelimit_state (
  rule_name bytea not null,
  rule_key bytea not null,
  state bytea not null,
  banned_until bigint not null,
  expires_at bigint not null,
  primary key (rule_name, rule_key)
) with (fillfactor = 70);
create index if not exists ratelimit_state_expires_at on ratelimit_state (expires_at);
create index if not exists ratelimit_state_banned_until on ratelimit_state (rule_name, banned_until) where banned_until > 0;
