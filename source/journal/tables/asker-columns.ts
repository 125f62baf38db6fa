const columns = ['profile', 'server', 'tool', 'outcome', 'asker'] as const;

/** The asker of an origin as `askerColumn` writes it; `of` reads a member, `list` makes a JSON text of two texts. */
function askerOfOrigin(of: (member: string) => string, list: (kind: string, name: string) => string): string {
	const text = (member: string) => `coalesce(${of(member)}, '')`;
	return `CASE ${of('kind')}
		WHEN 'endpoint' THEN CASE WHEN coalesce(${of('name')}, 'default') <> 'default' THEN ${list("'client'", of('name'))}
			WHEN ${text('claim')} <> '' THEN ${list("'claimed-client'", of('claim'))}
			ELSE ${list("'claimed-client'", of('client'))} END
		WHEN 'run' THEN CASE WHEN ${text('job')} <> '' THEN ${list("'job'", of('job'))}
			WHEN ${text('route')} <> '' THEN ${list("'route'", of('route'))} ELSE ${list("'run'", "''")} END
		WHEN 'demo' THEN ${list("'demo'", of('client'))}
		WHEN 'dashboard' THEN ${list("'dashboard'", "''")}
		WHEN 'command-line' THEN ${list("'command-line'", "''")} END`;
}

const index = (textType: string) => `
	ALTER TABLE calls ADD COLUMN asker ${textType};
	DROP INDEX calls_by_rule;
	CREATE INDEX calls_by_rule ON calls (rule, asker, time) WHERE rule IS NOT NULL;`;

/** Columns by which decisions are counted; a row whose record PostgreSQL cannot read as JSON stays without them. */
export const askerColumns = {
	file: `
		${columns.map(column => `ALTER TABLE decisions ADD COLUMN ${column} TEXT;`).join(' ')}
		UPDATE decisions SET profile = record ->> '$.profile', server = record ->> '$.server', tool = record ->> '$.tool',
			outcome = record ->> '$.outcome', asker = ${askerOfOrigin(
				member => `record ->> '$.origin.${member}'`,
				(kind, name) => `json_array(${kind}, ${name})`,
			)} WHERE json_valid(record);
		${index('TEXT')}
	`,
	database: `
		ALTER TABLE decisions ${columns.map(column => `ADD COLUMN ${column} text COLLATE "C"`).join(', ')};
		DECLARE
			decision record;
		BEGIN
			FOR decision IN SELECT sequence, decisions.record AS content FROM decisions LOOP
				BEGIN
					UPDATE decisions SET profile = content ->> 'profile', server = content ->> 'server', tool = content ->> 'tool',
						outcome = content ->> 'outcome', asker = ${askerOfOrigin(
							member => `content -> 'origin' ->> '${member}'`,
							(kind, name) => `'[' || to_json(${kind}::text) || ',' || to_json((${name})::text) || ']'`,
						)} FROM (SELECT decision.content::json AS content) AS read
						WHERE decisions.sequence = decision.sequence;
				EXCEPTION WHEN data_exception OR untranslatable_character THEN
					NULL;
				END;
			END LOOP;
		END;
		${index('text COLLATE "C"')}
	`,
} as const;
