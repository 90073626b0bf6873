// SPDX-License-Identifier: Apache-2.0
// Writes the types of the indexer's answers, from its description of them, to the path that is
// given.
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const [path] = process.argv.slice(2);
if (!path) throw new Error('usage: npm run types -- PATH, such as ../src/api/types.ts');
const { components, ...rest } = JSON.parse(readFileSync(new URL('../../indexer/openapi.json', import.meta.url), 'utf8'));
// The explorer has one type for all answers of one thing, and one for all lists.
const schemas = Object.entries(components.schemas).filter(([name]) => !/^(One|List)_/.test(name));
const types = await openapiTS(
	{ ...rest, paths: {}, components: { schemas: Object.fromEntries(schemas) } },
	{
		// A property cannot be of a union that has the property in it, as any JSON has.
		inject: 'type Json = string | number | boolean | null | Json[] | { [name: string]: Json };',
		transform: (_, { path }) => (path === '#/components/schemas/Field' ? ts.factory.createTypeReferenceNode('Json') : undefined),
	},
);
writeFileSync(path, `// SPDX-License-Identifier: Apache-2.0
// Made from indexer/openapi.json by scripts/explorer --update. Do not edit.

${astToString(types).replaceAll('    ', '\t')}`);
