import {readFile, writeFile} from 'node:fs/promises';
import {configSchemaText} from './config-schema.ts';
import {withReference} from './reference-text.ts';

/** Writes config.schema.json at the root of the repository, and the reference in its readme (`npm run schema`). */
const readme = new URL('../../readme.md', import.meta.url);
await writeFile(new URL('../../config.schema.json', import.meta.url), configSchemaText());
await writeFile(readme, withReference(await readFile(readme, 'utf8')));
