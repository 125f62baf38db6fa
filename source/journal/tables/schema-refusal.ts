import {Problem} from '../../util/problem.ts';
import {type SchemaVersions, versionState} from './schema-steps.ts';

/** Why a journal of this version cannot be used, with both versions; undefined: it can, perhaps after some steps. */
export function schemaRefusal(version: number | undefined, versions: SchemaVersions): Problem | undefined {
	const {first, current} = versions;
	switch (versionState(version, versions)) {
		case 'current':
		case 'older':
			return undefined;
		case 'newer':
			return new Problem('schema_newer', {
				message: `The journal has schema ${version}, which is newer than schema ${current} of this version of Sluice`,
			});
		case 'too-old':
		case 'unknown':
			return new Problem('storage_unavailable', {
				message: `The journal has schema ${version ?? 'unknown'}, and this version of Sluice knows schemas ${first} to ${current}`,
			});
	}
}
