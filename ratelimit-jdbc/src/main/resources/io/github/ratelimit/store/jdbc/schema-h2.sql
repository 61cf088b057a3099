create table if not exists ratelimit_state (
  rule_name varbinary(128) not null,
  rule_key varbinary(128) not null,
  state varbinary(1000000) not null,
  banned_until bigint not null,
  expires_at bigint not null,
  primary key (rule_name, rule_key)
);
create index if not exists ratelimit_state_expires_at on ratelimit_state (expires_at);
create index if not exists ratelimit_state_banned_until on ratelimit_state (rule_name, banned_until);
