/** Ids of the sample venues and their categories, for examples. */
export const STARBUCKS = "8ba572d23f2c56e2b9f07080";
export const BLUE_STATE = "ecf542e21ad23a05a059e8e6";
export const COFFEE_SHOP = "704f4174084963f050e84782";
export const FOOD = "3e37fcfa17562f7cfefb9ccd";
