import {writeFile} from 'node:fs/promises';
import {configSchemaText} from './config-schema.ts';

/** Writes config.schema.json at the root of the repository (`npm run schema`). */
await writeFile(new URL('../../config.schema.json', import.meta.url), configSchemaText());
