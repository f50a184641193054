import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { categoriesResponse } from "../../contract/resources.ts";
import { categoryTree } from "../categories/tree.ts";
import type { ApiDeps } from "../endpoint/declaration.ts";
import { openEndpoint } from "../endpoint/endpoint.ts";
import { presentTree } from "../venues/present-category.ts";

export function registerCategories(app: FastifyInstance, deps: ApiDeps): void {
  const tree = { categories: categoryTree.map((category) => presentTree(category, deps.config.api.url)) };
  openEndpoint(app, deps, {
    methods: ["GET"],
    path: "/v2/venues/categories",
    summary: "The whole tree of categories",
    parameters: z.object({}),
    response: categoriesResponse,
    example: ({ categoryTree }) => ({ categories: categoryTree }),
    isConstant: true,
    answer: async () => tree,
  });
}
