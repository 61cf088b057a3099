create table if not exists ratelimit_state (
  rule_name varbinary(128) not null,
  rule_key varbinary(128) not null,
  state mediumblob not null,
  banned_until bigint not null,
  expires_at bigint not null,
  primary key (rule_name, rule_key),
  index ratelimit_state_expires_at (expires_at),
  index ratelimit_state_banned_until (rule_name, banned_until)
) engine = InnoDB;
